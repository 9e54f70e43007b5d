"""`python -m handraise.gateway`."""

from handraise.common.service import main
from handraise.gateway.app import start
from handraise.gateway.settings import GatewaySettings

main("gateway", GatewaySettings, start)
