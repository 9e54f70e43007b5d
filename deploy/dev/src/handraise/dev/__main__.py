"""`python -m handraise.dev run|demo|clean|vendor`, `… workspace SLUG NAME EMAIL`, `… migration MESSAGE`."""

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


def _workspace() -> int:
    from handraise.dev.founding import workspace

    return workspace(sys.argv[2:])


def _migration() -> int:
    from handraise.dev.migration import migration

    return migration(sys.argv[2:])


_COMMANDS: dict[str, Callable[[], int]] = {
    "run": _run,
    "demo": _demo,
    "clean": _clean,
    "vendor": _vendor,
    "workspace": _workspace,
    "migration": _migration,
}
_WITH_ARGUMENTS = {"workspace", "migration"}


def main() -> int:
    """Do what the first argument says."""
    known = len(sys.argv) > 1 and sys.argv[1] in _COMMANDS
    if not known or (len(sys.argv) != 2 and sys.argv[1] not in _WITH_ARGUMENTS):
        print(f"say one of: {', '.join(_COMMANDS)}", file=sys.stderr)
        return 2
    return _COMMANDS[sys.argv[1]]()


if __name__ == "__main__":
    sys.exit(main())
