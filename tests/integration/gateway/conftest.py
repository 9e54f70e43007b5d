"""A house to knock at: real HTTP, a small workspace, a model that says what a test gives it."""

from tests.integration.runner.conftest import ada, chat, cold, house, people, world

__all__ = ["ada", "chat", "cold", "house", "people", "world"]
