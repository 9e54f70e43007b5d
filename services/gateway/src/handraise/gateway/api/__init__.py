"""The JSON API under `/api`: the same functions as the pages, with their shapes in OpenAPI 3.1."""

from litestar import Router

from handraise.gateway.api import admin, events, jobs, requests, session, talk, work

api_routes = Router(
    "/api",
    route_handlers=[
        *session.routes,
        *talk.routes,
        *work.routes,
        *requests.routes,
        *jobs.routes,
        *events.routes,
        *admin.routes,
    ],
)
