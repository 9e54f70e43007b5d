"""`python -m handraise.runner`."""

from handraise.common.service import main
from handraise.runner.app import start
from handraise.runner.settings import RunnerSettings

main("runner", RunnerSettings, start)
