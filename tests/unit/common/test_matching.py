"""A reply that is an option is that option; any other reaches the agent byte for byte."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handraise.common.questions import Answer, EmptyReply, Outcome, Question, QuestionError, match

WHERE = Question("Where do I deploy?", ("staging", "production", "both, staging first"))
FREE = Question("What should the page say?")


def chosen(question: Question, reply: str) -> str | None:
    answer = match(question, reply)
    assert answer.text == reply
    assert answer.outcome is Outcome.ACCEPT
    return answer.option


@pytest.mark.parametrize(
    "reply",
    [
        *(
            "production",
            "Production",
            "PRODUCTION.",
            " production \n",
            "production!",
            "production…",
            "¡production!",
        ),
        *('"production"', "“production”", "„Production“", "«production»", "'production'", "‘production’."),
        *(
            "**production**",
            "`production`",
            "*production*",
            "__production__",
            "***production***.",
            "- production",
        ),
        *(
            "ｐｒｏｄｕｃｔｉｏｎ",
            "𝐩𝐫𝐨𝐝𝐮𝐜𝐭𝐢𝐨𝐧",
            "pro\u200bduc\u00adtion",
            "\u200fproduction\u200e",
            "\ufeffproduction",
        ),
        *(
            "2",
            " 2 ",
            "2.",
            "2)",
            "(2)",
            "[2]",
            "#2",
            "option 2",
            "Option #2.",
            "**2**",
            "２",
            "٢",
            "②",
            "option\n2",
        ),
        *("2. production", "2) Production", "2 production", "opción 2", "Opção 2", "optie 2", "numéro 2"),
        *("> Where do I deploy?\n\nproduction", "production\n> > old words", "  > 1. staging\n2"),
    ],
)
def test_a_reply_that_is_an_option_is_that_option(reply: str) -> None:
    assert chosen(WHERE, reply) == "production"


@pytest.mark.parametrize(
    "reply",
    [
        *(
            "neither, use the sandbox",
            "not production",
            "production and staging",
            "production?",
            "~~production~~",
        ),
        *(
            "4",
            "0",
            "#4",
            "option 4",
            "option two",
            "1. production",
            "2 3",
            "1 or 2",
            "-2",
            "2nd",
            "1.5",
            "prod",
        ),
        *(
            "production please",
            "the second one",
            "https://example.test/2",
            "🙂",
            "?",
            "no",
            "none",
            "nothing",
        ),
        *(
            "> staging\nno, the other one",
            "never mind",
            "skip it",
            "cancel the task",
            "no thanks",
            "don't stop",
        ),
        *("stop?", "skip the tests", "please don't skip", "I'm not answering until Monday", "stop it"),
    ],
)
def test_any_other_reply_is_a_free_answer_byte_for_byte(reply: str) -> None:
    assert match(WHERE, reply) == Answer(Outcome.ACCEPT, None, reply)


@pytest.mark.parametrize(
    "reply",
    [
        *(
            "skip",
            "Skip.",
            "SKIP THIS QUESTION",
            "/skip",
            "don't answer",
            "Don’t answer!",
            "no answer",
            "No comment.",
        ),
        *(
            "I'm not answering this",
            "I’m not answering this.",
            "i won't answer",
            "I'd rather not say",
            "skip, please",
        ),
        *("Überspringen", "keine Antwort", "Das beantworte ich nicht.", "U\u0308berspringen bitte"),
        *("Passer", "je ne réponds pas", "Sans réponse", "Omitir", "prefiero no responder", "Sin respuesta."),
        *("Pular", "não vou responder", "Nao respondo", "Salta", "non rispondo", "Nessuna risposta"),
        *("Overslaan", "geen antwoord", "ik antwoord niet", "**skip**", "> Where do I deploy?\nskip"),
    ],
)
def test_a_whole_phrase_declines(reply: str) -> None:
    assert match(WHERE, reply) == Answer(Outcome.DECLINE, None, reply)
    assert match(FREE, reply).outcome is Outcome.DECLINE


@pytest.mark.parametrize(
    "reply",
    [
        *(
            "stop",
            "STOP!",
            "Stop the work.",
            "cancel",
            "/cancel",
            "abort",
            "please stop",
            "stop, thanks",
            "stop now",
        ),
        *("Abbrechen", "Stopp!", "hör auf", "Bitte abbrechen", "Arrête !", "annuler", "arrêtez le travail"),
        *(
            "Cancelar",
            "Detente",
            "¡Para!",
            "Pare o trabalho",
            "cancele",
            "Annulla",
            "fermati",
            "Interrompi il lavoro",
        ),
        *("Annuleren", "stop ermee", "stop het werk", "`stop`"),
    ],
)
def test_a_whole_phrase_cancels(reply: str) -> None:
    assert match(WHERE, reply) == Answer(Outcome.CANCEL, None, reply)
    assert match(FREE, reply).outcome is Outcome.CANCEL


def test_no_phrase_both_declines_and_cancels() -> None:
    from handraise.common.questions._phrases import CANCEL, DECLINE, phrase_key

    assert not DECLINE & CANCEL
    assert all(phrase_key(phrase) == phrase for phrase in DECLINE | CANCEL)


@pytest.mark.parametrize(
    ("reply", "option"),
    [("no", "No"), ("Skip!", "Skip"), ("cancel", "Cancel"), ("STOP", "Stop"), ("abbrechen", None)],
)
def test_an_option_wins_over_a_phrase(reply: str, option: str | None) -> None:
    answer = match(Question("Which label?", ("No", "Skip", "Cancel", "Stop")), reply)
    assert answer.option == option
    assert answer.outcome is (Outcome.ACCEPT if option else Outcome.CANCEL)


@pytest.mark.parametrize(
    ("options", "reply", "option"),
    [
        (("3", "2", "1"), "3", "3"),
        (("3", "2", "1"), "2.", "2"),
        (("3", "2", "1"), "option 3", None),
        (("10", "20", "30"), "2", None),
        (("10", "20", "30"), "20", "20"),
        (("10", "20", "30"), "#2", "20"),
        (("10", "20", "30"), "option 2", "20"),
        (("0.5", "1", "1.5"), "2", None),
        (("10 %", "20 %"), "2", None),
        (("8080", "another port"), "1", "8080"),
        (("8080", "another port"), "8080", "8080"),
        (("2 GB", "4 GB"), "2", None),
        (("2 GB", "4 GB"), "option 2", "4 GB"),
        (("fix #2", "fix #3"), "#2", None),
        (("phase 1 and 2", "phase 2"), "2", "phase 2"),
        (("Postgres 15", "Postgres 16"), "2", "Postgres 16"),
        (("> 100 ms", "< 100 ms"), "> 100 ms", "> 100 ms"),
        (("> 100 ms", "< 100 ms"), "> 100 MS.", "> 100 ms"),
        (("Ship it?", "Hold it?"), "ship it", "Ship it?"),
        (("Ship it?", "Hold it?"), "Ship it?", "Ship it?"),
        (("A – B", "B – C"), "a - b", "A – B"),
        (("- keep", "- drop"), "**- keep**", "- keep"),
        (("-¨", "x"), "**-¨**", "-¨"),
        (("C++", "C#", "C"), "c#", "C#"),
    ],
)
def test_a_number_names_a_position_only_where_it_can_mean_nothing_else(
    options: tuple[str, ...], reply: str, option: str | None
) -> None:
    assert chosen(Question("Which?", options), reply) == option


@pytest.mark.parametrize(
    "reply",
    [
        "",
        " \n\t",
        "\u200b",
        "\u2060\ufeff\u00ad",
        "\u2800",
        "\u3164",
        "> staging",
        "> staging\n\n  > > 2\n \u200b",
    ],
)
def test_a_reply_in_which_nobody_says_anything_is_no_answer(reply: str) -> None:
    with pytest.raises(EmptyReply):
        match(WHERE, reply)


words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=12)


@st.composite
def asked(draw: st.DrawFn) -> Question:
    options = draw(st.lists(words.map(str.strip), min_size=2, max_size=6, unique=True))
    try:
        return Question("Which?", tuple(options))
    except QuestionError:
        return Question("Which?", tuple(f"choice {place} of {len(options)}" for place in range(1, 4)))


@given(asked(), st.data())
@settings(max_examples=500)
def test_every_option_is_reached_by_its_words_and_by_its_line(
    question: Question, data: st.DataObject
) -> None:
    place = data.draw(st.integers(1, len(question.options)))
    option = question.options[place - 1]
    for reply in (
        option,
        f" {option} ",
        f"**{option}**",
        f"“{option}”",
        f"{place}. {option}",
        f"> 1\n{option}",
    ):
        if reply != f"> 1\n{option}" or not option.startswith(">"):
            assert match(question, reply).option == option


@given(asked(), st.text(max_size=60))
@settings(max_examples=1000)
def test_every_reply_is_kept_as_written_and_has_an_option_only_by_accept(
    question: Question, reply: str
) -> None:
    try:
        answer = match(question, reply)
    except EmptyReply:
        return
    assert answer.text == reply
    assert answer.option is None or (answer.option in question.options and answer.outcome is Outcome.ACCEPT)
    assert answer.outcome is not Outcome.EXPIRED


@pytest.mark.parametrize(
    "unit",
    ["a", "*", '"', ".", " ", "> a\n", "1", "\u0301\u0316", "\u200b", "\n", "(", "ﷺ", "# "],
)
def test_a_reply_of_a_hundred_thousand_characters_takes_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        reply = "x" + unit * (size // len(unit)) + "x"
        best = 9.0
        for _ in range(3):
            start = time.perf_counter()
            assert match(WHERE, reply).text == reply
            best = min(best, time.perf_counter() - start)
        return best

    assert seconds(100_000) < max(0.25, 40 * seconds(10_000))


def test_an_option_in_a_hundred_thousand_spaces_is_still_that_option() -> None:
    assert chosen(WHERE, " " * 50_000 + "staging" + "\u200b" * 50_000) == "staging"
