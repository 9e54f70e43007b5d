"""Ends a run with one line a layer, and lets no run pass in which nothing was tested."""

from collections import defaultdict
from pathlib import Path

import pytest

_OUTCOMES = ("passed", "failed", "error", "skipped")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print, for each layer, how its tests ended and how long they took."""
    counts: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(_OUTCOMES, 0))
    seconds: dict[str, float] = defaultdict(float)
    for outcome in _OUTCOMES:
        for report in terminalreporter.stats.get(outcome, []):
            counts[_layer(report.nodeid)][outcome] += 1
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[_layer(report.nodeid)] += report.duration
    if len(counts) < 2:
        return
    terminalreporter.section("layers")
    for layer, ended in counts.items():
        words = ", ".join(f"{number} {outcome}" for outcome, number in ended.items() if number)
        terminalreporter.write_line(f"{layer:<12} {words:<44} {seconds[layer]:7.1f} s")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A run in which every test was skipped counts as one without tests."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == pytest.ExitCode.OK and not session.config.option.collectonly:
        assert reporter is not None
        if not reporter.stats.get("passed") and not reporter.stats.get("xfailed"):
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED


def _layer(node: str) -> str:
    parts = Path(node.partition("::")[0]).parts
    return parts[1] if len(parts) > 2 else parts[0]
