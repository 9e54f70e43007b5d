"""The demo plays to its end, kill -9 of everything included, and says no when something is not so."""

import os
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.crash, pytest.mark.timeout(300)]


def _demo(**settings: str) -> "subprocess.CompletedProcess[str]":
    env = {name: value for name, value in os.environ.items() if not name.startswith("MODEL_")} | settings
    command = [sys.executable, "-m", "handraise.dev", "demo"]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=240)


def test_the_demo_finds_everything_so() -> None:
    done = _demo()
    assert done.returncode == 0, done.stdout + done.stderr
    for said in ("kill -9", "the same one", "no round before it ran again", "All of it is so."):
        assert said in done.stdout


def test_the_demo_fails_when_no_model_answers() -> None:
    done = _demo(MODEL_BASE_URL="http://127.0.0.1:9/v1", MODEL_NAME="none", HANDRAISE_MODEL_ATTEMPTS="1")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "NOT SO" in done.stdout
    assert "the job ended without asking" in done.stdout
