"""The page of the API names every route, every event and every error code there is, and none that is not."""

import ast
import re

from handraise.common.bus.messages import ActionExecuted, JobFinished, JobParked, JobResumed
from handraise.gateway.api import api_routes
from tests.unit.docs.pages import ROOT, bare, calls, said, sources, table

PAGE = ROOT / "docs/api.md"


def _real_codes() -> dict[str, set[int | None]]:
    """Return the codes of all problems, each with its statuses; None for one that is computed."""
    codes: dict[str, set[int | None]] = {}
    for file, call in calls("Problem", origin="handraise.common.problems"):
        status = call.args[0]
        fixed = status.value if isinstance(status, ast.Constant) else None
        assert fixed is None or isinstance(fixed, int)
        for code in _spelled(call.args[1], file.stem):
            codes.setdefault(code, set()).add(fixed)
    return codes


def _spelled(code: ast.expr, module: str) -> set[str]:
    """Return the codes that an expression gives: itself, or one for each word its module is called with."""
    if isinstance(code, ast.Constant):
        return {str(code.value)}
    assert isinstance(code, ast.JoinedStr), f"line {code.lineno}: a problem's code has to be written out"
    words = _words(module)
    assert words, f"line {code.lineno}: nobody gives this code its word"
    parts = [part.value if isinstance(part, ast.Constant) else None for part in code.values]
    return {"".join(word if part is None else str(part) for part in parts) for word in words}


def _words(module: str) -> set[str]:
    """Return the words that `module.check(text, word)` is called with."""
    return {
        str(node.args[1].value)
        for tree in sources().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "check"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == module
        and isinstance(node.args[1], ast.Constant)
    }


def test_every_problem_code_is_on_the_page_with_its_status_and_no_other_is() -> None:
    real = _real_codes()
    documented = {bare(code): status for status, code, _ in table(PAGE, "status", "code", "means")}
    assert documented.keys() == real.keys()
    wrong = {code for code, status in documented.items() if not _fits(status, real[code])}
    assert wrong == set()


def _fits(documented: str, real: set[int | None]) -> bool:
    fixed = {str(status) for status in real if status is not None}
    return documented == "other" if not fixed else fixed == {documented}


def test_every_route_is_on_the_page_and_no_other_is() -> None:
    real = {
        f"{method} {re.sub(r':[a-z]+}', '}', route.path)}"
        for route in api_routes.routes
        for method in route.methods
        if method not in ("OPTIONS", "HEAD")
    }
    assert real
    assert {bare(route) for route, _ in table(PAGE, "route", "what")} == real


def test_every_event_of_a_job_is_on_the_page() -> None:
    documented = {bare(event) for event, _ in table(PAGE, "event", "when")}
    tags = {kind.__struct_config__.tag for kind in (JobParked, JobResumed, ActionExecuted, JobFinished)}
    assert tags <= documented
    assert documented <= set(said())
