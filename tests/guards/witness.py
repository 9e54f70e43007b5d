"""A pytest plugin that tells the runner how each test ended, and that the copied sources were what ran."""

import os
import sys
from pathlib import Path

import msgspec
import pytest


class Testimony(msgspec.Struct):
    """What one run of pytest saw."""

    __test__ = False

    passed: list[str] = []
    failed: dict[str, str] = {}
    broken: dict[str, str] = {}
    """Node, and why its end says nothing about what it guards: it never ran, or could not be imported."""
    strangers: list[str] = []
    """Modules of ours that came from elsewhere than the copy."""


_seen = Testimony()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    """Sort each outcome. Only a failure within the test itself is a failure."""
    report = yield
    if report.when == "call" and report.passed:
        _seen.passed.append(item.nodeid)
    elif report.failed and (report.when != "call" or _is_import_trouble(call)):
        _seen.broken[item.nodeid] = f"{report.when}: {call.excinfo.exconly() if call.excinfo else ''}"
    elif report.failed:
        _seen.failed[item.nodeid] = call.excinfo.exconly() if call.excinfo else ""
    elif report.skipped:
        _seen.broken[item.nodeid] = "skipped"
    return report


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """A file that can't be collected guards nothing."""
    if report.failed:
        _seen.broken[report.nodeid] = f"not collected: {str(report.longrepr)[-500:]}"


def pytest_sessionfinish() -> None:
    """Write down what was seen."""
    root = Path(os.environ["GUARD_ROOT"]).resolve()
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name.split(".")[0] in ("handraise", "tests") and file and root not in Path(file).resolve().parents:
            _seen.strangers.append(f"{name} from {file}")
    Path(os.environ["GUARD_TESTIMONY"]).write_bytes(msgspec.json.encode(_seen))


def _is_import_trouble(call: pytest.CallInfo[None]) -> bool:
    return call.excinfo is not None and isinstance(call.excinfo.value, ImportError | SyntaxError)
