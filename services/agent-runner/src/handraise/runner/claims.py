"""Finds a final message that reports a change no receipt shows, and says what people read instead.

Rules over sentences, no model: first-person past ("I have marked …"), passives about what was asked for
("your task has been created"), states with "now", and short forms ("Done.", "Task created"). Negations,
offers, conditions, questions, quotations and what other people did are not claims. English in full; German,
French, Spanish, Portuguese, Italian and Dutch for the first person and the perfect passive.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

CORRECTED = "Nothing was changed: there is no receipt for what the agent was about to report."
PARTLY = (
    "What was really done: {done}. There is no receipt for anything else that the agent was about to report."
)


class ReceiptLike(Protocol):
    """What is looked at of a receipt."""

    @property
    def tool(self) -> str:
        """Return the name of the tool that ran."""
        ...

    @property
    def title(self) -> str:
        """Return what was done, in words."""
        ...


_CREATE = "created opened added made filed raised drafted wrote written logged started"
_STATUS = "marked moved closed completed finished resolved reopened started set changed updated flagged put switched done"
_ASSIGN = "assigned reassigned handed gave given delegated changed updated set"
_DUE = "rescheduled postponed moved set changed updated extended pushed due dated"
_POST = (
    "posted published announced shared sent wrote written added put replied commented told notified informed"
)
_SEND = (
    "sent messaged dmed wrote written told notified informed asked replied pinged contacted shared forwarded"
)
_REMIND = "set created scheduled added made reminded"
_OTHER = (
    "deleted removed cancelled canceled archived merged deployed renamed edited modified fixed saved submitted invited "
    "emailed booked scheduled released rolled adjusted corrected cleared restored attached linked pinned labelled "
    "labeled approved rejected confirmed executed performed uploaded enabled disabled installed revoked granted "
    "transferred duplicated copied cleaned organised organized prioritised prioritized registered applied reverted"
)
_BACKED_BY = {
    "create_task": f"{_CREATE} assigned {_REMIND}",
    "create_doc": f"{_CREATE} saved",
    "update_task_status": _STATUS,
    "assign_task": _ASSIGN,
    "set_task_due_date": _DUE,
    "post_to_channel": _POST,
    "send_dm": _SEND,
    "set_reminder": _REMIND,
}
_ALWAYS_BACKED = frozenset(
    ["done", "set", "taken", "handled", "sorted", "completed", "finished", "updated", "changed", "saved"]
)
_VERBS = sorted(
    {v for told in (*_BACKED_BY.values(), _OTHER) for v in told.split()}
    | {"taken", "handled", "sorted", "let", "took"}
)
_V = (
    rf"(?P<verb>{'|'.join(sorted(set(_VERBS) - {'due', 'done', 'written', 'given'}, key=len, reverse=True))})"
)
_PV = rf"(?P<verb>{'|'.join(sorted(set(_VERBS) - {'wrote', 'gave', 'took', 'let'}, key=len, reverse=True))})"
_ADVERB = r"(?:(?:just|now|already|also|then|successfully|meanwhile|finally|therefore|quickly|promptly|duly|all|both|since|went ahead and|gone ahead and|taken the liberty of|been able to|managed to)\s+)*"
_THING = (
    r"(?:(?:the|your|this|that|a|an|its|both|all|every|new|these|those|three|two)\s+)*(?:[\w-]+\s+){0,2}?"
    r"(?:tasks?|tickets?|issues?|items?|docs?|documents?|pages?|messages?|dms?|posts?|announcements?|reminders?|status|"
    r"due date|deadline|assignee|comments?|repl(?:y|ies)|updates?|changes?|project|title|description|email|it|"
    r"everything|this|that|they|Q+|[A-Z][A-Z0-9]+-\d+)"
    r"(?:\s+(?:Q+|\(?[A-Z][A-Z0-9]+-\d+\)?|for\s+\w+))*"
)

_FIRST_PERSON = re.compile(
    rf"\b(?:I|we|I(?:['’]ve| have| had)|we(?:['’]ve| have))\s+{_ADVERB}{_V}\b", re.IGNORECASE
)
_AND_ALSO = re.compile(
    rf"\b(?:I|we|I['’]ve|we['’]ve)\b(?:(?!\b(?:that|which|who|whose|you|by)\b).){{1,160}}?\b(?:and|then)\s+{_ADVERB}{_V}\b",
    re.IGNORECASE,
)
_PERFECT = re.compile(
    rf"(?:^|\b){_THING}\s+(?:has|have)\s+(?:(?:now|just|also|successfully)\s+)*been\s+(?:successfully\s+)?{_PV}\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    rf"(?:^|\b){_THING}\s+(?:was|were|got)\s+(?:(?:now|just|also|successfully)\s+)*{_PV}\b", re.IGNORECASE
)
_NOW = re.compile(
    rf"\b(?:(?:is|are)\s+now|(?:['’]s|['’]re)\s+now|now\s+(?:is|are))\s+(?:(?:all|successfully)\s+)?"
    rf"(?:{_PV}|(?P<state>in (?:progress|review)|live|gone|up|on its way|there|set up)\b)",
    re.IGNORECASE,
)
_SHORT = re.compile(
    rf"^(?:\W*)(?:ok(?:ay)?\W+|sure(?: thing)?\W+|great\W+|hi [\w ]+\W+)?(?:just\s+)?(?:successfully\s+)?"
    rf"(?:(?:new\s+|your\s+)?(?:task|ticket|issue|doc|document|message|dm|post|reminder|status|due date|comment|update|change|"
    rf"email|project)s?\s+(?:Q+\s+)?(?:(?:is|are)\s+)?(?:now\s+)?(?:successfully\s+)?)?{_PV}\b"
    r"(?!\s+(?:by|on|at|last|yesterday|tasks?|items?|tickets?|issues?|\w+\s+ago)\b)(?!\s*:\s*\d)(?!\s*\()",
    re.IGNORECASE,
)
_IDIOM = re.compile(
    r"\b(?:it|that|this|everything|all)(?:['’]s|\s+is|\s+has\s+been)?\s+(?P<verb>done|sorted|taken care of|handled|all set)\b"
    r"(?!\s+(?:by|when|once|after))|^\W*all\s+(?P<state>done|set|sorted)\b|\bI\s+took\s+(?P<took>care)\b"
    r"|\byour\s+(?:message|post|reminder|task|doc)\s+is\s+(?:now\s+)?(?P<out>out|sent|posted|set|created|live|on its way)\b"
    r"|\bI(?:['’]ve| have)?\s+taken\s+(?P<care>care)\b|\bI\s+(?:took|have taken)\s+the\s+liberty\s+of\s+(?P<liberty>\w+ing)\b"
    r"|\bI\s+did\s+(?P<did>it|that|so)\b|\bI\s+(?:have\s+)?(?P<let>let)\s+\w+(?:\s+\w+)?\s+know\b",
    re.IGNORECASE,
)
_SUCCESS = re.compile(
    rf"\bsuccessfully\s+{_PV}\b|\b{_PV.replace('verb', 'verb2')}\s+successfully\b", re.IGNORECASE
)
_FOREIGN = re.compile(
    r"\bich habe (?!nicht).{0,60}?\b(?P<de>erstellt|angelegt|markiert|geändert|zugewiesen|gesendet|geschickt|gepostet|"
    r"aktualisiert|verschoben|gelöscht|geschlossen|erledigt|gesetzt)\b"
    r"|\b(?:wurde|wurden|ist jetzt|sind jetzt) (?!nicht).{0,40}?\b(?P<de2>erstellt|angelegt|markiert|geändert|zugewiesen|"
    r"gesendet|aktualisiert|verschoben|gelöscht|geschlossen|erledigt)\b(?! von)"
    r"|\bj['’]ai (?:bien |aussi )?(?P<fr>créé|marqué|modifié|assigné|envoyé|publié|posté|mis à jour|déplacé|supprimé|"
    r"fermé|terminé|ajouté)\b|\ba (?:bien )?été (?P<fr2>créée?|marquée?|modifiée?|envoyée?|publiée?|supprimée?)\b(?! par)"
    r"|\bhe (?P<es>creado|marcado|cambiado|asignado|enviado|publicado|actualizado|movido|eliminado|cerrado|añadido)\b"
    r"|\b(?<!no )ha sido (?P<es2>cread[oa]|marcad[oa]|enviad[oa]|publicad[oa]|actualizad[oa])\b(?! por)"
    r"|\b(?:eu )?(?P<pt>criei|marquei|alterei|atribuí|enviei|publiquei|atualizei|movi|apaguei|fechei)\b"
    r"|\bho (?P<it>creato|segnato|contrassegnato|modificato|assegnato|inviato|pubblicato|aggiornato|spostato|chiuso)\b"
    r"|\bik heb (?!niet).{0,60}?\b(?P<nl>aangemaakt|gemarkeerd|gewijzigd|toegewezen|verstuurd|geplaatst|bijgewerkt|"
    r"verplaatst|verwijderd|gesloten)\b",
    re.IGNORECASE,
)
_NEGATION_ABROAD = re.compile(
    r"\b(?:nicht|nichts|keine?n?|ne|n['’]|pas|rien|no|não|nada|non|niente|niet|niets|geen)\b", re.I
)

_NOT_SO = re.compile(
    r"\b(?:not|never|no|nothing|none|nobody|neither|nor|without|cannot|unable|fail(?:ed|s)?|refused|instead of)\b|n['’]t\b"
    r"|\b(?:can|could|would|will|shall|should|may|might|must|if|once|when|whenever|until|unless|before|in case|"
    r"propose[ds]?|proposing|suggest(?:ed)?|offer(?:ed)?|want(?:ed)?|like|ready|going|about|plan|need(?:s|ed)?|please|"
    r"wait(?:s|ing)?|pending|whether|to (?:be|have)|asked (?:me )?to|how)\b|['’](?:ll|d)\b",
    re.IGNORECASE,
)
_BY_OTHERS = re.compile(
    r"\bby (?!me\b|us\b|now\b|clicking\b|Friday|Monday)\w+|\b(?:yesterday|ago|earlier|previously|originally|before)\b"
    r"|\blast (?:week|month|year|night|monday|tuesday|wednesday|thursday|friday)\b|\bin (?:january|february|march|april|"
    r"may|june|july|august|september|october|november|december|20\d\d)\b|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.IGNORECASE,
)
_TOLD_BY_OTHERS = re.compile(
    r"\b(?!I\b|we\b|receipt\b)[\w#-]+ (?:wrote|says?|said|reports?|reported|mentions?|mentioned|announced|claims?|asked|"
    r"noted|thinks?|believes?)\b|\baccording to (?!the receipt)|\b(?:the|a) (?:doc|page|message|post|thread) (?:says|tells)\b",
    re.IGNORECASE,
)
_NOTHING_AFTER = re.compile(r"^\s+(?:\w+\s+)?(?:no|nothing|none|neither|nobody|0)\b", re.IGNORECASE)
_ASKING = re.compile(
    r"^\W*(?:(?:and|so|but|or)\s+)?(?:was|were|is|are|has|have|had|did|do|does|should|shall|can|could|would|will|may|"
    r"which|what|who|whom|where|when|why|how)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"```.*?(?:```|\Z)|^[ \t]*>[^\n]*|“[^”\n]{0,600}”|„[^“”\n]{0,600}[“”]|«[^»\n]{0,600}»|\"[^\"\n]{0,600}\"|`[^`\n]{1,200}`",
    re.DOTALL | re.MULTILINE,
)
_ONE_WORD = re.compile(r"\W*[a-z]+\W*", re.IGNORECASE)
_SENTENCE = re.compile(r"[^\n]+?(?:[.!?…]+(?=\s|$)|(?=\n)|$)")
_CLAUSE = re.compile(
    r"[,;:—–]|\s-\s|\b(?:but|so|because|while|although)\b|\band (?=(?:I|we)\b)", re.IGNORECASE
)


class _Claim(NamedTuple):
    start: int
    end: int
    verb: str


def unbacked_claim(final_text: str, receipts: Sequence[ReceiptLike]) -> str | None:
    """Return why the message may not be read as it is: it reports a change that no receipt shows; else None."""
    for claim in _unbacked(final_text, receipts):
        said = " ".join(final_text[claim.start : claim.end].split())
        said = said if len(said) <= 160 else said[:159] + "…"
        known = ", ".join(receipt.title for receipt in receipts)
        return f"the message says “{said}”, but " + (
            f"the only receipts are: {known}" if known else "nothing was done: there is no receipt"
        )
    return None


def corrected(final_text: str, receipts: Sequence[ReceiptLike] = ()) -> str:
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
    done = "; ".join(" ".join(receipt.title.split()).rstrip(".") for receipt in receipts)
    head = PARTLY.format(done=f"“{done}”") if done else CORRECTED
    return f"{head}\n\n{rest}" if rest else head


def _unbacked(text: str, receipts: Sequence[ReceiptLike]) -> Iterator[_Claim]:
    backed = _backed(receipts)
    for claim in _claims(text):
        if backed is None or claim.verb in backed:
            continue
        yield claim


def _backed(receipts: Sequence[ReceiptLike]) -> frozenset[str] | None:
    """Return the verbs that the receipts back; None when one is of a tool we do not know, which may back any."""
    if not receipts:
        return frozenset()
    verbs = set(_ALWAYS_BACKED)
    for receipt in receipts:
        if receipt.tool not in _BACKED_BY:
            return None
        verbs.update(_BACKED_BY[receipt.tool].split())
    return frozenset(verbs)


def _claims(text: str) -> Iterator[_Claim]:
    """Yield each sentence that reports a change, with the verb it reports."""
    masked = _QUOTED.sub(_mask, text)
    for sentence in _SENTENCE.finditer(masked):
        verb = _claimed(sentence.group())
        if verb is not None:
            yield _Claim(sentence.start(), sentence.end(), verb)


def _mask(quoted: re.Match[str]) -> str:
    """Blank a quotation, keeping its length; a single quoted word stays, for it may be the verb itself."""
    inner = quoted.group()
    return inner if _ONE_WORD.fullmatch(inner) else re.sub(r"[^\n]", "Q", inner)


def _claimed(sentence: str) -> str | None:
    question = sentence.rstrip().endswith("?")
    others = _TOLD_BY_OTHERS.search(sentence) is not None
    start = 0
    ends = [found.start() for found in _CLAUSE.finditer(sentence)] + [len(sentence)]
    for end in ends:
        clause = sentence[start:end]
        asked = question and (_ASKING.match(clause) or _ASKING.match(sentence))
        verb = None if asked else _clause_claim(clause, sentence[end:], first=start == 0, others=others)
        if verb is not None:
            return verb
        start = end
    found = _FOREIGN.search(sentence)
    if found and not question and not _NEGATION_ABROAD.search(sentence):
        return next(word for word in found.groups() if word).lower()
    return None


def _clause_claim(clause: str, after: str, *, first: bool, others: bool) -> str | None:
    patterns = [_FIRST_PERSON, _AND_ALSO, _IDIOM]
    if not others:
        patterns += [_PERFECT, _NOW, _SUCCESS]
        if not _BY_OTHERS.search(clause):
            patterns.append(_PAST)
    if first or re.match(r"^\W*\w", clause):
        patterns.append(_SHORT)
    for pattern in patterns:
        for found in pattern.finditer(clause):
            verb = next((word for word in found.groupdict().values() if word), None)
            if verb is None:
                continue
            if _NOT_SO.search(clause[: found.end() - len(verb)]) or _NOTHING_AFTER.match(
                clause[found.end() :]
            ):
                continue
            if pattern in (_PERFECT, _SHORT, _SUCCESS, _PAST) and _BY_OTHERS.search(clause[found.start() :]):
                continue
            return verb.lower()
    return None
