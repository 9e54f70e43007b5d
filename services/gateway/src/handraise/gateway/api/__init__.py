"""The JSON API under `/api`: the same functions as the pages, with their shapes in OpenAPI 3.1."""

from litestar import Router

from handraise.gateway.api import (
    admin,
    docs,
    events,
    jobs,
    people,
    places,
    reminders,
    requests,
    search,
    session,
    talk,
    work,
)

api_routes = Router(
    "/api",
    route_handlers=[
        *session.routes,
        *talk.routes,
        *places.routes,
        *people.routes,
        *work.routes,
        *docs.routes,
        *search.routes,
        *reminders.routes,
        *requests.routes,
        *jobs.routes,
        *events.routes,
        *admin.routes,
    ],
)
