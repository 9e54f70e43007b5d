"""Reads, one gated statement each: what pages and tools show of the workspace.

Nothing in here writes. A place that the member may not read comes back as None, like one that is not there.
"""
