"""Alembic's scripts. A new one: `make migration MESSAGE="…"`, then read what it wrote."""
