"""The front door: HTTP API, pages, live updates. Publishes commands; never runs a loop, never judges.

Each file is one concern of a request: `auth` who asks, `talking` what they write, `answering` what they
decide, `live` what they are told. `api` and `pages` are two faces of the same functions.
"""
