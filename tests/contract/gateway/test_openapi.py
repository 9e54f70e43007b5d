"""The API keeps what its schema says: whatever is sent, no error of ours, and every answer of a shape that is told."""

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error

from tests.support.stack import House

EXAMPLES = 12
"""A route, fitting and unfitting: enough to meet every kind of value, few enough to be run each time."""
_SETTINGS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def token(stack: House) -> str:
    """A bearer token of Ada's."""

    async def made() -> str:
        async with stack.as_("ada") as ada:
            answer: dict[str, str] = await ada.send("/api/tokens", {"name": "schema"})
            return answer["token"]

    return asyncio.run(made())


def test_nothing_that_can_be_sent_is_answered_with_an_error_of_ours(stack: House, token: str) -> None:
    loaded = schemathesis.openapi.from_url(f"{stack.url}/api/schema/openapi.json")
    # One never ends, one ends the token that all of them use.
    routes = loaded.exclude(path="/api/events").exclude(path="/api/session", method="DELETE")
    operations = [found.ok() for found in routes.get_all_operations()]
    assert len(operations) >= 20
    answered: Counter[int] = Counter()

    def knock(case: Any) -> None:
        response = case.call(headers={"Authorization": f"Bearer {token}"}, timeout=30)
        case.validate_response(response, checks=[not_a_server_error])
        assert response.status_code != 503, response.text
        if response.status_code >= 400:
            assert response.headers["content-type"][0].startswith("application/problem+json")
        answered[response.status_code] += 1

    for operation in operations:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            cases = operation.as_strategy(generation_mode=mode)
            with suppress(Unsatisfiable):  # what takes nothing can be sent nothing wrong
                _SETTINGS(given(case=cases)(knock))()
    assert sum(answered.values()) > len(operations) * EXAMPLES
    assert {200, 400, 404} <= set(answered)


async def test_the_schema_names_every_route_with_words_for_people(stack: House) -> None:
    async with httpx.AsyncClient(base_url=stack.url) as http:
        told = (await http.get("/api/schema/openapi.json")).json()
    assert told["openapi"].startswith("3.1")
    operations = [(path, name, item) for path, of in told["paths"].items() for name, item in of.items()]
    assert len(operations) >= 20
    for path, name, item in operations:
        assert item.get("summary"), (path, name)
        assert item.get("tags"), (path, name)
    shapes = told["components"]["schemas"]
    assert {"Write", "Reply", "Request", "Job", "Posted"} <= {name.rpartition("_")[2] for name in shapes}
