"""Keeps requests for secrets away from people: tells, without a model, whether a text asks for one.

Naming a secret ("which API key should I use, staging or production?") is not asking for it. What a secret
is, where it is stored and how it is hidden from logs live elsewhere.
"""

from handraise.common.secrets._judge import asks_for_secret, text_asks_for_secret
from handraise.common.secrets._lookups import asks_for_lookup_id

__all__ = ["asks_for_lookup_id", "asks_for_secret", "text_asks_for_secret"]
