"""Each law's guard is proved by breaking what it guards: `mutations_*.py` say how, `runner` does it."""
