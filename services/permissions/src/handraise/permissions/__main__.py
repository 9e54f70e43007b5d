"""`python -m handraise.permissions`."""

from handraise.common.service import main
from handraise.permissions.app import start
from handraise.permissions.settings import PermissionsSettings

main("permissions", PermissionsSettings, start)
