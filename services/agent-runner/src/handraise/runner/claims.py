"""Finds a final message that reports a change no receipt shows, and says what people read instead.

Rules over sentences, no model: first-person past ("I have marked …"), passives about what was asked for
("your task has been created"), states with "now", and short forms ("Done.", "Task created"). Negations,
offers, conditions, questions, quotations and what other people did are not claims. English in full; German,
French, Spanish, Portuguese, Italian and Dutch only in the first person and the commonest passive.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from handraise.runner import claim_patterns as say

CORRECTED = "Nothing was changed: there is no receipt for what I was about to report."
DONE = "What was really done:"
NO_MORE = "There is no receipt for anything else that I was about to report."


class Receipt(NamedTuple):
    """What is looked at of a receipt: the tool that ran, and what it did, in words."""

    tool: str
    title: str


class _Claim(NamedTuple):
    start: int
    end: int
    verbs: frozenset[str]


def unbacked_claim(final_text: str, receipts: Sequence[tuple[str, str]]) -> str | None:
    """Return why the message may not be read as it is: it reports a change that no receipt shows; else None."""
    for claim in _unbacked(final_text, receipts):
        said = " ".join(final_text[claim.start : claim.end].split())
        said = said if len(said) <= 160 else said[:159] + "…"
        known = "; ".join(title for _, title in receipts)
        return f"the message says “{said}”, but " + (
            f"the only receipts are: {known}" if known else "nothing was done: there is no receipt"
        )
    return None


def corrected(final_text: str, receipts: Sequence[tuple[str, str]] = ()) -> str:
    """Return what people read instead: what really happened first, then the sentences that claim nothing.

    A message without an unbacked claim comes back as it is.
    """
    claims = list(_unbacked(final_text, receipts))
    if not claims:
        return final_text
    kept: list[str] = []
    at = 0
    for claim in claims:
        kept.append(final_text[at : claim.start])
        at = claim.end
    kept.append(final_text[at:])
    rest = re.sub(r"\n[ \t]*(?:\n[ \t]*)+", "\n\n", re.sub(r"[ \t]{2,}", " ", "".join(kept))).strip()
    if not re.search(r"\w", rest):
        rest = ""
    head = CORRECTED
    if receipts:
        head = "\n".join((DONE, *(f"- {_line(title)}" for _, title in receipts), "", NO_MORE))
    return f"{head}\n\n{rest}" if rest else head


def _line(title: str) -> str:
    return " ".join(title.split())


def _unbacked(text: str, receipts: Sequence[tuple[str, str]]) -> Iterator[_Claim]:
    backed = _backed(receipts)
    if backed is None:
        return
    titles = {_line(title).rstrip(".") for _, title in receipts}
    for claim in _claims(text):
        said = _line(text[claim.start : claim.end].strip("- \t.:"))
        if said in titles or said.removeprefix("Done: ") in titles:
            continue
        if not claim.verbs <= backed or _names_more(said, receipts):
            yield claim


def _names_more(said: str, receipts: Sequence[tuple[str, str]]) -> bool:
    """Tell whether a sentence reports something by a title that no receipt says."""
    if any(tool not in say.NAMES_ITS_OBJECT for tool, _ in receipts):
        return False
    told = " ".join(_line(title).casefold() for _, title in receipts)
    return any(_line(title).casefold().strip(" .") not in told for title in say.TITLED.findall(said))


def _backed(receipts: Sequence[tuple[str, str]]) -> frozenset[str] | None:
    """Return the verbs that the receipts back; None when one is of a tool we do not know, which may back any."""
    if not receipts:
        return frozenset()
    if any(tool not in say.BACKED_BY for tool, _ in receipts):
        return None
    return say.ANY_RECEIPT.union(*(say.BACKED_BY[tool].split() for tool, _ in receipts))


def _claims(text: str) -> Iterator[_Claim]:
    """Yield each sentence that reports a change, with the verbs that it reports."""
    masked = say.QUOTED.sub(_mask, text)
    for sentence in say.SENTENCE.finditer(masked):
        verbs = frozenset(_claimed(sentence.group()))
        if verbs:
            yield _Claim(sentence.start(), sentence.end(), verbs)


def _mask(quoted: re.Match[str]) -> str:
    """Blank a quotation, keeping its length; a single quoted word stays, for it may be the verb itself."""
    inner = quoted.group()
    return inner if say.ONE_WORD.fullmatch(inner) else re.sub(r"[^\n]", "Q", inner)


def _claimed(sentence: str) -> Iterator[str]:
    question = sentence.rstrip().endswith("?")
    asking = question and say.ASKING.match(sentence)
    others = say.TOLD_BY_OTHERS.search(sentence) is not None
    ours = False
    start = 0
    for end in (*(found.start() for found in say.CLAUSE.finditer(sentence)), len(sentence)):
        clause = sentence[start:end]
        if not asking and not (question and say.ASKING.match(clause)):
            yield from _in_clause(clause, sentence[end:], first=start == 0, ours=ours, others=others)
        if say.SPEAKER.search(clause):
            ours = not say.NOT_SO.search(clause)
        abroad = say.ABROAD.search(clause)
        if abroad and not question and not say.DENIED_ABROAD.search(clause):
            yield _verb(abroad)
        start = end


def _in_clause(clause: str, after: str, *, first: bool, ours: bool, others: bool) -> Iterator[str]:
    """Yield the verbs that a clause reports as done.

    `ours` says that an earlier clause of the sentence had "I" and told what is so, `others` that the
    sentence tells what somebody else said.
    """
    patterns = [say.FIRST_PERSON, say.AND_ALSO, say.IDIOM]
    if not others:
        patterns += [say.PERFECT, say.PAST, say.NOW, say.SUCCESS, say.AFTERWARDS]
    if first or clause[:1] in ":,–—-":
        patterns.append(say.SHORT)
    for pattern in patterns:
        for found in pattern.finditer(clause):
            verb = _verb(found)
            end = max(found.end(name) for name in found.groupdict())
            before = clause[: end - len(verb)]
            if say.NOT_SO.search(before) or say.NOTHING_AFTER.match(clause[end:]):
                continue
            if pattern is say.AND_ALSO and not _goes_on(before, ours=ours):
                continue
            if pattern is say.SHORT and not _reports(clause, verb, after, first=first):
                continue
            if pattern in _BY_ANYBODY and say.BY_OTHERS.search(clause[found.start() :]):
                continue
            yield verb


def _goes_on(before: str, *, ours: bool) -> bool:
    """Tell whether "and marked" goes on from "I", with nobody else between."""
    speaker = say.SPEAKER.search(before)
    between = before[speaker.end() :] if speaker else before
    return (speaker is not None or ours) and not say.SOMEBODY_ELSE.search(between)


def _reports(clause: str, verb: str, after: str, *, first: bool) -> bool:
    """Tell a short report ("Done.") from an entry of a list ("Status: done", "Done: 3 tasks")."""
    if not first and clause[:1] == ",":
        return clause.strip(" ,.!").lower() == verb
    if verb == "done":
        return first and say.LISTED.match(after) is None
    return True


_BY_ANYBODY = (say.PERFECT, say.PAST, say.SUCCESS, say.AFTERWARDS, say.SHORT)


def _verb(found: re.Match[str]) -> str:
    return next(word for word in found.groupdict().values() if word).lower()
