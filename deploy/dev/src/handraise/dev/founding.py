"""`make workspace`: a workspace of one's own, beside the sample, in the stack that runs or in `DATABASE_URL`."""

import asyncio
import os
import sys

from handraise.dev import console
from handraise.dev.state import State
from handraise.workspace.founding import FoundingError, found


def workspace(arguments: list[str]) -> int:
    """Make one: slug, name, e-mail, time zone. Returns the exit code."""
    if len(arguments) not in (3, 4):
        print("usage: workspace SLUG NAME EMAIL [TIMEZONE]", file=sys.stderr)
        return 2
    running = State.of_environment().running()
    owner = os.environ.get("DATABASE_URL") or (running.database_url if running else None)
    if owner is None:
        console.say("start the stack first (make run), or set DATABASE_URL to the database's owner")
        return 1
    slug, name, email, *zone = arguments
    try:
        made = asyncio.run(
            found(owner, slug=slug, name=name, email=email, timezone=zone[0] if zone else "UTC")
        )
    except (FoundingError, OSError) as error:
        console.say(str(error))
        return 1
    console.say(f"{name} is there. Start the house for it: HANDRAISE_WORKSPACE={made.slug} make run")
    console.say(f"sign in: {made.email} / {made.password}  (shown this once)")
    return 0
