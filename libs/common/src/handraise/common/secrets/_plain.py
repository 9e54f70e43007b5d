"""Undoes disguises, so that the rules read a text as a person does."""

import html
import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from handraise.common.questions._folding import seen
from handraise.common.secrets._rules import words

# Cyrillic and Greek letters that a person takes for a Latin one; and Polish ł, which does not decompose.
_LOOKALIKES = str.maketrans(
    "аеорсухіѕјԁһԛԝкмтнвгɡıӏοαρνικτευł’‘ʼ′`",
    "aeopcyxisjdhqwkmthbrgiloapvikteul''''\x00",
)
_STRIP = re.compile(
    r"</?[a-z][^<>]{0,40}>|[*~\x00]|(?<!\w)'|'(?!\w)|(?<![a-z0-9])_+(?=[a-z])|(?<=[a-z0-9])_+(?![a-z0-9])"
)
# No rule looks further than this for the end of a word, so that none takes quadratic time.
_LONG = re.compile(r"(\S{80})(?=\S)")
_SPACED = re.compile(r"(?<!\w)(?:[^\W_][ .·_/|-]{1,3}){2,40}[^\W_](?!\w)")
_LEET = re.compile(r"[a-z0-9@$!|]*[0-9@$!|][a-z0-9@$!|]*")
_LEET_L = str.maketrans("013457@$!|", "oleastasil")
_LEET_I = str.maketrans("013457@$!|", "oieastasil")
_DISGUISED = words(
    "password passwords passwort passcode passphrase passwd contrasena senha wachtwoord haslo token tokens key "
    "keys apikey secret secrets pin otp code credentials creds login cookie private seed phrase card"
)
_SPELLED_OUT = {"u": "you", "ur": "your", "whats": "what's", "pls": "please", "plz": "please"}
_SLANG = re.compile(r"(?<![\w.'-])(?:u|ur|whats|pls|plz)(?![\w.'-])")
_SPACE = re.compile(r"[ \t\"“”„«»「」『』()\[\]{}<>]+")
_CLAUSE = re.compile(r"([?!;\n。！？।]|\.(?=\s|$))+\s*")


class Clause(NamedTuple):
    """One statement or question of a text, lower-case and undisguised."""

    text: str
    asked: bool  # it ended in a question mark


def plain(text: str) -> str:
    """Return `text` lower-case, without marks, accents, invisible characters and spelling tricks."""
    text = seen(html.unescape(text) if "&" in text else text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).casefold()
        text = unicodedata.normalize("NFD", text).translate(_LOOKALIKES)
        # Only Latin accents go; Indic vowel signs and Japanese voicing marks carry the word.
        text = unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", text))
    else:
        text = text.casefold().replace("`", "")
    text = _STRIP.sub("", _LONG.sub(r"\1 ", text))
    text = _SPACED.sub(_joined, text)
    text = _SLANG.sub(lambda word: _SPELLED_OUT[word[0]], text)
    undone = _LEET.sub(_spelled, text)
    if undone == text:
        return text
    # Whoever spells one word in digits spells others so, too.
    return _LEET.sub(lambda word: word[0] if word[0].isdigit() else word[0].translate(_LEET_I), undone)


def clauses(text: str) -> Iterator[Clause]:
    """Split what `plain` returned into its statements and questions."""
    start = 0
    for end in _CLAUSE.finditer(text):
        yield Clause(_tidy(text[start : end.start()]), "?" in end[0] or "？" in end[0])
        start = end.end()
    yield Clause(_tidy(text[start:]), False)


def _tidy(text: str) -> str:
    return _SPACE.sub(" ", text).replace(" ,", ",").strip()


def _joined(found: re.Match[str]) -> str:
    letters = re.sub(r"\W|_", "", found[0])
    return letters if len(letters) > 2 and letters.isalpha() else found[0]


def _spelled(found: re.Match[str]) -> str:
    word = found[0]
    if word.isdigit():
        return word
    for table in (_LEET_I, _LEET_L):
        if (spelled := word.translate(table)) in _DISGUISED:
            return spelled
    return word
