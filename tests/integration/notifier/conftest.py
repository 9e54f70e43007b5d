"""A house with a scripted model for what the notifier posts."""

from tests.integration.runner.conftest import ada, chat, cold, house, people, world

__all__ = ["ada", "chat", "cold", "house", "people", "world"]
