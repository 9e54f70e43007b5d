"""One span a request, going on from the caller's trace, and the request's figures for Prometheus."""

import time

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from opentelemetry.trace import SpanKind
from prometheus_client import Histogram

from handraise.common import telemetry

seconds = Histogram(
    "http_server_request_duration_seconds",
    "Time of a request",
    ["http_request_method", "http_route", "status"],
)


class Tracing(ASGIMiddleware):
    """Wraps every HTTP request but open event streams' bodies: those are timed to their first byte."""

    scopes = (ScopeType.HTTP,)
    exclude_path_pattern = ("^/static", "^/healthz", "^/readyz", "^/metrics")

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Serve the request inside its span."""
        route = scope.get("path_template") or "unmatched"
        method = str(scope.get("method"))
        carried = {
            k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"] if k == b"traceparent"
        }
        began = time.perf_counter()

        with telemetry.span(f"{method} {route}", SpanKind.SERVER, carried, **{"http.route": route}) as span:

            async def sent(message: Message) -> None:
                if message["type"] == "http.response.start":
                    status = message["status"]
                    span.set_attribute("http.response.status_code", status)
                    seconds.labels(method, route, str(status)).observe(time.perf_counter() - began)
                await send(message)

            await next_app(scope, receive, sent)
