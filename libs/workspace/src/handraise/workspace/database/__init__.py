"""The way to Postgres: connections that know their workspace, migrations, the services' roles."""

from handraise.workspace.database.connect import Database, Hot
from handraise.workspace.database.prepare import SERVICES, prepare, service_dsn

__all__ = ["SERVICES", "Database", "Hot", "prepare", "service_dsn"]
