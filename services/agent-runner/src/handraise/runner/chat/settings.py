"""Chooses the adapter that the settings describe."""

from urllib.parse import urlsplit

from handraise.runner.chat.base import Chat
from handraise.runner.chat.practice import PracticeChat


def chat_from_settings(base_url: str | None, model: str | None, api_key: str | None) -> Chat:
    """Return the model that the settings name; without a base URL, the practice model.

    Raises ValueError, with what to correct, for settings that could never work. Makes no connection.
    """
    if not base_url:
        return PracticeChat()
    address = urlsplit(base_url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise ValueError(
            "MODEL_BASE_URL must begin with http:// or https://, such as http://localhost:11434/v1"
        )
    if not model:
        raise ValueError("MODEL_NAME is missing: name the model that the endpoint at MODEL_BASE_URL serves")
    if api_key and not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
        raise ValueError(
            "MODEL_API_KEY holds a space, a line break or a letter that no key has; copy it again"
        )
    # Importing the official client takes over a second, which the practice model need not pay.
    from handraise.runner.chat.openai import OpenAIChat

    return OpenAIChat(base_url, model, api_key or None)
