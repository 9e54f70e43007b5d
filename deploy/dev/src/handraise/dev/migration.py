"""`make migration`: writes the migration that brings the newest database to the tables as they are described."""

import sys
import tempfile
from pathlib import Path

from handraise.dev.postgres import EmbeddedPostgres


def migration(arguments: list[str]) -> int:
    """Compare on a database of its own, and write the script; read it before you keep it."""
    from alembic import command
    from alembic.config import Config

    from handraise.workspace.database.prepare import HEAD

    if len(arguments) != 1 or not arguments[0].strip():
        print('usage: make migration MESSAGE="what it does"', file=sys.stderr)
        return 2
    config = Config()
    config.set_main_option("script_location", "handraise.workspace:migrations")
    with tempfile.TemporaryDirectory(prefix="handraise-migration-") as folder:
        postgres = EmbeddedPostgres(Path(folder), fast=True)
        config.attributes["dsn"] = postgres.start().dsn
        try:
            command.upgrade(config, "head")
            number = f"{int(HEAD) + 1:04d}"
            command.revision(config, message=arguments[0], autogenerate=True, rev_id=number)
        finally:
            postgres.stop()
    print(f"now set HEAD in database/prepare.py to {number}, and add row-level security for new tables")
    return 0
