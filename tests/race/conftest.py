"""A house with a scripted model for races between two different people."""

from tests.integration.runner.conftest import ada, chat, cold, house, people, world

__all__ = ["ada", "chat", "cold", "house", "people", "world"]
