"""Finds the secrets that a clause names, and leaves out what only sounds like one."""

import re

from handraise.common.secrets._rules import LATIN, MARK, OTHER, alternatives, words

_EDGE = r"(?<![a-z0-9_])"
_NOUN = re.compile(rf"{_EDGE}(?:{alternatives('secrets', LATIN)})(?![a-z0-9_])")
_NOUN_OTHER = re.compile(alternatives("secrets", OTHER))

# "the Stripe key", "your token": a secret only where nothing follows that makes it another thing.
_WEAK = re.compile(
    _EDGE + r"(?P<before>(?:the|your|our|my|his|her|their|this|that|a|an|new|current|right|"
    r"het|der|den|el|il|le|o|czy|de)"
    r"(?: (?!public|primary|foreign|project|issue|sort|cache|partition|house|room|car|arrow|map|answer|design|"
    r"next|board)[\w-]+){0,2} )"
    r"(?P<noun>keys?|tokens?|secrets?|login|logins)(?P<file>[ -]?file)?"
    r"(?=$|[,:)]| (?:for|so|here|please|now|below|over|again|with|ends?|starts?|begins?|is|are|still|valid|and|or|"
    r"(?:to|in|into) (?:me|us|this|here|the (?:chat|channel|thread|registry|vault|server|cluster|account|database)|"
    r"prod(?:uction)?|staging)|that (?:starts|begins))\b)"
)
_THINGS = words(
    "policy policies reset resets rotation migration length manager managers field fields page pages budget "
    "budgets limit limits expiry expiration rule rules requirement requirements hashing strength form screen "
    "prompt flow link links mail email setting settings format type types name names scope scopes lifetime "
    "store stores leak service provider providers system usage count check checks validation box dialog error "
    "errors request requests change changes protection generator tool tools owner owners holder entry entries "
    "permission permissions pad reader issue problem bug ticket guideline standard option options storage "
    "audit inventory review exchange endpoint refresh cost costs window price template layout banner setup "
    "set-up procedure process history complexity age configuration handling security sharing attack "
    "fingerprint board"
)
_THING = re.compile(
    rf"public (?:[\w-]+ )?{MARK}|{MARK}(?:'s?)?[ -]{{0,2}}(?:{'|'.join(sorted(_THINGS))})\b"
    # To pin something is no PIN.
    rf"|\b(?:should|shall|to|i|please|can|may|could|will|we|you|and) {MARK}(?= (?:this|the|an?|my|it|that)\b)"
    rf"|^{MARK} (?:this|the|a|an|my|it|that|on)\b|\bmap {MARK}|{MARK} santa"
    rf"|{MARK}-(?!codes?\b|nummer\b)[a-z]\w+"
    # Postal codes go by that name in India.
    rf"|{MARK} code(?= (?:of|for|in) (?:the |this )?(?:[\w-]+ ){{0,2}}"
    rf"(?:customer|office|address|city|area|branch|recipient))"
    rf"|{alternatives('things')}"
)


def marked(clause: str) -> tuple[str, str | None]:
    """Return the clause with each secret replaced by `§`, and the words of the first one.

    Without words there is no secret, even where the clause came back changed.
    """
    named: list[str] = []

    def mark(found: re.Match[str]) -> str:
        named.append(found[0])
        return MARK

    def mark_weak(found: re.Match[str]) -> str:
        named.append(found["noun"])
        return f"{found['before']}{MARK}"

    text = _NOUN.sub(mark, clause.replace(MARK, " "))
    if not text.isascii():
        text = _NOUN_OTHER.sub(mark, text)
    text = _WEAK.sub(mark_weak, text)
    if MARK not in text:
        return text, None
    text = _THING.sub(" ", text)
    text = text.replace(f"{MARK}'s {MARK}", MARK).replace(f"{MARK} {MARK}", MARK)
    return " ".join(text.split()), named[0] if MARK in text else None
