"""The pages: server-rendered, complete without script; script only spares the reload.

Rows come from `handraise.workspace.views`, words and shapes are made here, markup is in `templates/`. What a
form asks is done by `answering`, `talking` and `workspace.actions`, never here.
"""

from litestar import Router
from litestar.types import ControllerRouterHandler

from handraise.gateway.pages import (
    admin,
    deciding,
    docs,
    home,
    jobs,
    making,
    members,
    people,
    projects,
    reminders,
    search,
    signing,
    talks,
    tasks,
)
from handraise.gateway.pages.errors import page_error_response
from handraise.gateway.pages.templating import static_router, template_config
from handraise.gateway.pages.visit import guard

_rooms = (
    home,
    talks,
    tasks,
    projects,
    docs,
    search,
    people,
    members,
    making,
    reminders,
    jobs,
    deciding,
    admin,
)
_inside: list[ControllerRouterHandler] = [route for room in _rooms for route in room.routes]

page_routes: list[ControllerRouterHandler] = [
    Router("/", route_handlers=_inside, before_request=guard, include_in_schema=False),
    Router("/", route_handlers=signing.routes, include_in_schema=False),
]

__all__ = ["page_error_response", "page_routes", "static_router", "template_config"]
