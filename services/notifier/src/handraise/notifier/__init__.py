"""Posts questions, proposals, results and records into surfaces, each through its registered poster.

Decides nothing: what is to be said stands in the event. Every post has an id that its event always gives it.
"""
