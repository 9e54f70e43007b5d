"""`python -m handraise.dev run|demo|clean|vendor`."""

import sys
from collections.abc import Callable
from pathlib import Path


def _run() -> int:
    from handraise.dev.stack import run

    return run()


def _clean() -> int:
    from handraise.dev.stack import clean

    return clean()


def _demo() -> int:
    from handraise.dev.demo import demo

    return demo()


def _vendor() -> int:
    from handraise.dev.vendor import vendor

    vendor(Path("services/gateway"))
    return 0


_COMMANDS: dict[str, Callable[[], int]] = {"run": _run, "demo": _demo, "clean": _clean, "vendor": _vendor}


def main() -> int:
    """Do what the first argument says."""
    if len(sys.argv) != 2 or sys.argv[1] not in _COMMANDS:
        print(f"say one of: {', '.join(_COMMANDS)}", file=sys.stderr)
        return 2
    return _COMMANDS[sys.argv[1]]()


if __name__ == "__main__":
    sys.exit(main())
