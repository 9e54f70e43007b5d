"""Reads what the rules know of each language from `languages/`, one regular expression a line.

The sections, and where their expressions are looked for:

- `secrets`: what counts as a secret; in a clause as `plain` leaves it. Each hit is then replaced by `§`.
- `things`: a secret there is only part of the name of something harmless; in a clause with `§`.
- `asks`: asks for the secret, whatever else the clause says; in a clause with `§`.
- `which`: asks which password it is, and unlike a key a password has no name of its own; before `§`.
- `about`: asks about a secret, not for it. In languages other than English a question that names a secret is
  refused unless one of these is in it.
"""

import re
import unicodedata
from importlib import resources
from typing import Final, Literal

MARK: Final = "§"  # stands for a secret in a clause, so that the rules read alike in every language
Section = Literal["secrets", "things", "asks", "which", "about"]

LATIN = ("en", "de", "fr", "es", "pt", "it", "nl", "pl")
OTHER = ("hi", "zh", "ja")

# Words that stand for longer expressions in the files.
_NAMES = {
    # Something shown as a password is shown: letters with digits, or four digits and more.
    "<SHOWN>": r"(?=\S*\d)(?=\S*[^\W\d])\S{5,}|\d{4,}",
    # What a secret may be said to be without being told.
    "<STATE>": (
        r"(?:valid|active|in|used|needed|required|working|works|necessary|there|stored|missing|broken|safe|secret|"
        r"shared|around|available|on|at|due|open|being|an?|the|not|too|good|ours|right|correct|expired|enough|"
        r"long|short)\b"
    ),
    "<WORD>": r"(?:password|pin|passcode|passphrase|pass phrase|otp|cvv)s?",
}


def _read(language: str) -> dict[str, list[str]]:
    file = resources.files("handraise.common.secrets") / "languages" / f"{language}.txt"
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    # Normalised as texts are, so that a vowel sign is spelled one way.
    for line in unicodedata.normalize("NFKC", file.read_text("utf-8")).splitlines():
        if line.startswith("[") and line.endswith("]") and line[1:-1].isalpha():
            lines = sections.setdefault(line[1:-1], [])
        elif line and not line.startswith("#"):
            for name, meaning in _NAMES.items():
                line = line.replace(name, meaning)
            lines.append(line)
    return sections


_LANGUAGES = {language: _read(language) for language in (*LATIN, *OTHER)}


def alternatives(section: Section, languages: tuple[str, ...] = (*LATIN, *OTHER)) -> str:
    """Return one expression that matches wherever one of a section's expressions does."""
    return "|".join(line for language in languages for line in _LANGUAGES[language].get(section, []))


def compiled(section: Section) -> re.Pattern[str]:
    """Compile a section over all languages."""
    return re.compile(alternatives(section))


def words(text: str) -> frozenset[str]:
    """Return the words of `text` as a set."""
    return frozenset(text.split())
