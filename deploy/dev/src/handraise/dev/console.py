"""What the person at the terminal sees: one line a thing, the service's name in front."""

import sys
import threading
from collections.abc import Sequence

from handraise.dev.state import Person

_COLOURS = {"gateway": 36, "runner": 35, "permissions": 33, "notifier": 32, "stack": 34}
_WIDTH = max(map(len, _COLOURS))
_printing = threading.Lock()


def line(name: str, text: str) -> None:
    """Print one line of `name`, whole, whichever thread says it."""
    label = f"{name:<{_WIDTH}}"
    if sys.stdout.isatty():
        label = f"\033[{_COLOURS.get(name, 37)}m{label}\033[0m"
    with _printing:
        print(f"{label} | {text}", flush=True)


def say(text: str) -> None:
    """Print what the stack itself has to tell."""
    line("stack", text)


def welcome(url: str, people: Sequence[Person], model: str | None, seconds: float) -> None:
    """Print where to go and as whom."""
    speaks = f"with the model {model}" if model else "with the practice model: rules, not a mind"
    say(f"ready after {seconds:.1f} s, {speaks}")
    say("")
    say(f"  open      {url}")
    for someone in people:
        first_name = someone.name.split()[0]
        say(f"  sign in   {someone.email:<19} {someone.password:<16} {first_name}, {someone.role}")
    say("")
    say("  Ctrl-C stops everything; what you did is kept")
