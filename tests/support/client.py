"""The client that tests speak through: the same as the demo's, with the sample's people at hand."""

from handraise.dev.client import ENDED, Client, Posted, Refused, Routes, signed_in
from handraise.dev.sample import PEOPLE, person, sample_id

__all__ = ["ENDED", "PEOPLE", "Client", "Posted", "Refused", "Routes", "person", "sample_id", "signed_in"]
