"""The sample workspace Acme: people, places and work to try Handraise on.

`people` and `content` say what is in it, `load` writes it. Ids are derived from names, so that each load
of a new database gives the same ones.
"""

from handraise.dev.sample.content import ATTACK
from handraise.dev.sample.ids import WORKSPACE_ID, sample_id
from handraise.dev.sample.load import load
from handraise.dev.sample.people import PEOPLE, person

__all__ = ["ATTACK", "PEOPLE", "WORKSPACE_ID", "load", "person", "sample_id"]
