"""The model that tests script keeps what every `Chat` adapter keeps, so that what they show holds for real ones."""

import pytest

from handraise.runner.chat import Chat
from tests.contract.runner.test_chat import ChatContract
from tests.support.scripted import ScriptedChat


class TestScriptedChat(ChatContract):
    @pytest.fixture
    async def chat(self) -> Chat:
        return ScriptedChat("Hello there.")
