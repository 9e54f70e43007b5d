"""`python -m handraise.notifier`."""

from handraise.common.service import main
from handraise.notifier.app import start
from handraise.notifier.settings import NotifierSettings

main("notifier", NotifierSettings, start)
