"""Passwords and tokens: argon2 for what people choose, SHA-256 for what we draw at random."""

import hashlib
import secrets

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_hasher = PasswordHasher()
_decoy = _hasher.hash("nobody's password")


def hash_password(password: str) -> str:
    """Return the argon2id hash that is stored."""
    return _hasher.hash(password)


def verify(password: str, stored: str | None) -> bool:
    """Check a password. Takes as long when there is no such member, so that timing tells nothing."""
    try:
        _hasher.verify(stored or _decoy, password)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None


def new_token() -> str:
    """Return 256 random bits, URL-safe."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> bytes:
    """Return what is stored of a token: it is random, so a plain SHA-256 is enough."""
    return hashlib.sha256(token.encode()).digest()
