"""Every write there is, and `perform`, the one door to them (law 1). For people and agents alike.

A write is one file here with its arguments, its checks and its statements, and one line in `registry`. What
an agent is told about it and what a person is shown first live in `handraise.workspace.tools`.
"""

from handraise.workspace.actions.order import Done, Failed, Order, Outcome, Receipt, Refused, Write
from handraise.workspace.actions.perform import perform
from handraise.workspace.actions.registry import WRITES

__all__ = ["WRITES", "Done", "Failed", "Order", "Outcome", "Receipt", "Refused", "Write", "perform"]
