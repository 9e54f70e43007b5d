"""The words and patterns by which `claims` tells a report of a change from everything else."""

import re

_CREATE = "created opened added made filed raised drafted wrote written logged started"
_REMIND = "set created scheduled added made reminded"

BACKED_BY = {
    "create_task": f"{_CREATE} {_REMIND} assigned",
    "create_doc": f"{_CREATE} saved",
    "update_task_status": (
        "marked moved closed completed finished resolved reopened started set changed updated flagged put switched"
    ),
    "assign_task": "assigned reassigned handed gave given delegated changed updated set",
    "set_task_due_date": "rescheduled postponed moved set changed updated extended pushed dated made",
    "post_to_channel": (
        "posted published announced shared sent wrote written added put replied commented told notified informed let"
    ),
    "send_dm": (
        "sent messaged dmed wrote written told notified informed asked replied pinged contacted shared forwarded let"
    ),
    "set_reminder": _REMIND,
}
"""Which verbs the receipt of each of our tools backs."""

NAMES_ITS_OBJECT = frozenset(
    ("update_task_status", "create_task", "create_doc", "set_task_due_date"),
)
"""Tools whose receipts say the title of what they changed; a title that none says was not changed."""

_GENERAL = "done set taken took care handled sorted completed finished updated changed saved it that so there"
ANY_RECEIPT = frozenset(_GENERAL.split()) | {"all set", "taken care of"}
"""Words too general to say what was done: any receipt backs them."""

_OTHER = """
    deleted removed cancelled canceled archived merged deployed renamed edited modified fixed saved submitted invited
    emailed booked scheduled released rolled adjusted corrected cleared restored attached linked pinned labelled
    labeled approved rejected confirmed executed performed uploaded enabled disabled installed revoked granted
    transferred duplicated copied cleaned organised organized prioritised prioritized registered applied reverted
    handled sorted
"""
_VERBS = {verb for told in (*BACKED_BY.values(), _OTHER) for verb in told.split()}


def _any_of(verbs: set[str]) -> str:
    return "|".join(sorted(verbs, key=lambda verb: (-len(verb), verb)))


_ACTIVE = f"(?P<verb>{_any_of(_VERBS - {'written', 'given', 'let', 'asked'})})"
_PASSIVE = (
    f"(?P<verb>{_any_of((_VERBS | {'taken care of', 'done'}) - {'wrote', 'gave', 'let', 'told', 'asked'})})"
)
_ADVERBS = (
    r"(?:(?:just|now|already|also|then|successfully|meanwhile|finally|therefore|quickly|promptly|duly|all|both|since|"
    r"went ahead and|gone ahead and|managed to)\s+)*"
)
_NOUNS = (
    r"(?:tasks?|tickets?|issues?|items?|docs?|documents?|pages?|messages?|dms?|posts?|announcements?|reminders?|"
    r"status|due date|deadline|assignee|comments?|repl(?:y|ies)|updates?|changes?|project|title|description|email|"
    r"prs?|pull request|branch|invites?|invitation|event)"
)
_THING = (
    r"(?:\b(?:the|your|this|that|a|an|its|both|all|every|new|these|those|three|two)\s+){0,3}(?:\b[\w-]{1,40}\s+){0,2}?"
    rf"\b(?:{_NOUNS}|it|everything|this|that|they|Q{{1,700}}|[A-Z][A-Z0-9]+-\d+)"
    r"(?:\s+(?:Q{1,700}|\(?[A-Z][A-Z0-9]+-\d+\)?|for\s+\w+|about\s+(?:the\s+)?\w+(?:\s\w+)?)){0,4}"
)
_I = r"\b(?:I|we)(?:['’]ve|\s+have|\s+had)?"
_QUITE = r"(?:(?:now|just|also|successfully|all)\s+)*"


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


FIRST_PERSON = _words(rf"{_I}\s+{_ADVERBS}{_ACTIVE}\b")
AND_ALSO = _words(rf"(?:\band(?:\s+then)?|\bthen)\s+{_ADVERBS}{_ACTIVE}\b")
SPEAKER = _words(rf"{_I}\b")
SOMEBODY_ELSE = _words(r"\b(?:that|which|who|whose|you|by|he|she|they|it was|people)\b")
PERFECT = _words(rf"{_THING}\s+(?:has|have)\s+{_QUITE}been\s+{_QUITE}{_PASSIVE}\b")
PAST = _words(rf"{_THING}\s+(?:was|were|got)\s+{_QUITE}{_PASSIVE}\b")
NOW = _words(
    rf"(?:\b(?:is|are)\s+now|['’](?:s|re)\s+now|\bnow\s+(?:is|are))\s+{_QUITE}"
    rf"(?:{_PASSIVE}|(?P<state>in (?:progress|review)|live|gone|on its way|there|set up|due)\b)"
)
SHORT = _words(
    r"^\W*(?:ok(?:ay)?\W+|sure(?: thing)?\W+|great\W+|hi(?: \w+)?\W+)?(?:just\s+)?(?:successfully\s+)?"
    rf"(?:(?:new\s+|your\s+)?{_NOUNS}\s+(?:Q{{1,700}}\s+)?(?:(?:is|are)\s+)?(?:now\s+)?(?:successfully\s+)?)?{_PASSIVE}\b"
    r"(?!\s+(?:by|on|at|in|last|yesterday|before|after|since|until|from|tasks?|items?|tickets?|issues?|\w+\s+ago)\b)(?!\s*:\s*\d)(?!\s*\()"
)
SUCCESS = _words(rf"\bsuccessfully\s+{_PASSIVE}\b")
AFTERWARDS = _words(rf"\b{_PASSIVE}\s+successfully\b")
IDIOM = _words(
    r"\b(?:it|that|this|everything|all)(?:['’]s|\s+is|\s+has\s+been)\s+(?P<verb>done|sorted|taken care of|handled|"
    r"all set)\b(?!\s+(?:by|when|once|after))"
    r"|^\W*all\s+(?P<all>done|set|sorted)\b"
    r"|\byour\s+(?:message|post|reminder|task|doc)\s+is\s+(?P<is>out|sent|posted|set|created|live|on its way)\b"
    r"|\bI(?:['’]ve|\s+have)?\s+(?:took|taken)\s+(?P<took>care)\b"
    r"|\bI(?:['’]ve|\s+have)?\s+(?:took|taken)\s+the\s+liberty\s+of\s+(?P<liberty>\w+ing)\b"
    r"|\bI\s+did\s+(?P<did>it|that|so)\b"
    r"|\bI(?:['’]ve|\s+have)?\s+(?P<let>let)\s+\w+(?:\s+\w+)?\s+know\b"
)
ABROAD = _words(
    r"\bich habe .{0,60}?\b(?P<de>erstellt|angelegt|markiert|geändert|zugewiesen|gesendet|geschickt|gepostet|"
    r"aktualisiert|verschoben|gelöscht|geschlossen|erledigt|gesetzt)\b"
    r"|\b(?:wurden?|(?:ist|sind) jetzt) .{0,40}?\b(?P<de2>erstellt|angelegt|markiert|geändert|zugewiesen|gesendet|"
    r"aktualisiert|verschoben|gelöscht|geschlossen|erledigt)\b"
    r"|\bj['’]ai (?:bien |aussi )?(?P<fr>créé|marqué|modifié|assigné|envoyé|publié|posté|mis à jour|déplacé|"
    r"supprimé|fermé|terminé|ajouté)\b"
    r"|\ba (?:bien )?été (?P<fr2>créée?|marquée?|modifiée?|envoyée?|publiée?|supprimée?)\b(?! par)"
    r"|\bhe (?P<es>creado|marcado|cambiado|asignado|enviado|publicado|actualizado|movido|eliminado|cerrado)\b"
    r"|\bha sido (?P<es2>cread[oa]|marcad[oa]|enviad[oa]|publicad[oa]|actualizad[oa])\b(?! por)"
    r"|\b(?P<pt>criei|marquei|alterei|atribuí|enviei|publiquei|atualizei|movi|apaguei|fechei)\b"
    r"|\bho (?P<it>creato|segnato|contrassegnato|modificato|assegnato|inviato|pubblicato|aggiornato|spostato|chiuso)\b"
    r"|\bik heb .{0,60}?\b(?P<nl>aangemaakt|gemarkeerd|gewijzigd|toegewezen|verstuurd|geplaatst|bijgewerkt|"
    r"verplaatst|verwijderd|gesloten)\b"
)
DENIED_ABROAD = _words(
    r"\b(?:nicht|nichts|keine?n?|ne|pas|rien|no|não|nada|non|niente|niet|niets|geen|wenn|falls|von|por|par|da|door)\b|\bn['’]"
)

NOT_SO = _words(
    r"\b(?:not|never|no|nothing|none|nobody|neither|nor|without|cannot|unable|fail(?:ed|s)?|refused|instead of)\b"
    r"|n['’]t\b|['’](?:ll|d)\b"
    r"|\b(?:can|could|would|will|shall|should|may|might|must|if|once|when|whenever|until|unless|before|in case|"
    r"propose[ds]?|proposing|suggest(?:ed)?|offer(?:ed)?|want(?:ed)?|like|ready|going|plan|need(?:s|ed)?|please|"
    r"wait(?:s|ing)?|pending|whether|to (?:be|have|get)|asked (?:me )?to|how)\b"
)
NOTHING_AFTER = _words(r"^\s+(?:\w+\s+)?(?:no|nothing|none|neither|nobody|0)\b")
BY_OTHERS = _words(
    r"\bby (?!me\b|us\b|now\b|clicking\b|mon|tue|wed|thu|fri|sat|sun)\w+"
    r"|\b(?:yesterday|ago|earlier|previously|originally)\b"
    r"|\blast (?:week|month|year|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
    r"|\bin (?:january|february|march|april|june|july|august|september|october|november|december|20\d\d)\b"
    r"|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
)
TOLD_BY_OTHERS = _words(
    r"\b(?!(?:I|we|receipt)\b)[\w#-]{1,40} (?:wrote|says?|said|reports?|reported|mentions?|mentioned|announced|claims?|"
    r"asked|noted|thinks?|believes?)\b|\baccording to (?!the receipt)"
    r"|\b(?:was|were|is) (?:refused|rejected|declined)\b"
)
ASKING = _words(
    r"^\W*(?:(?:and|so|but|or)\s+)?(?:was|were|is|are|has|have|had|did|do|does|should|shall|can|could|would|will|may|"
    r"which|what|who|whom|where|when|why|how)\b"
)
QUOTED = re.compile(
    r"```.*?(?:```|\Z)|^[ \t]*>[^\n]*|“[^“”\n]{0,600}”|„[^“”\n]{0,600}[“”]|«[^»\n]{0,600}»"
    r"|\"[^\"\n]{0,600}\"|`[^`\n]{1,200}`",
    re.DOTALL | re.MULTILINE,
)
TITLED = re.compile(r"[“\"]([^“”\"\n]*\s[^“”\"\n]*)[”\"]")
LISTED = _words(r"\s*:\s*(?:\d|none\b|(?:two|three|four|five|six|seven|several) \w+\b)")
ONE_WORD = _words(r"\W*[a-z]+\W*")
SENTENCE = re.compile(r"[^\n]{1,1500}?(?:(?<=[.!?…])(?=\s|\Z)|(?=\n)|\Z)|[^\n]{1,1500}")
CLAUSE = _words(r"[,;:—–]|\s-\s|\b(?:but|so|because|while|although)\b|\band (?=(?:I|we)\b)")
