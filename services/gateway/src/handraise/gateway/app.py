"""Wires the gateway: the only place that makes its connections, its HTTP application and its server."""

import asyncio
import contextlib
from typing import Any

import msgspec
import structlog
from granian.constants import Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server
from litestar import Litestar, get
from litestar.config.compression import CompressionConfig
from litestar.middleware import DefineMiddleware
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.response import Response
from nats.aio.msg import Msg

from handraise.common.bus.messages import MembershipChanged
from handraise.common.bus.publish import Bus
from handraise.common.clock import utc_now
from handraise.common.health import unready
from handraise.common.judge import NatsJudge
from handraise.common.service import Running
from handraise.gateway.agents import Agents
from handraise.gateway.api import api_routes
from handraise.gateway.api.events import page_events
from handraise.gateway.auth import Authentication, protect
from handraise.gateway.live import Hub
from handraise.gateway.problems import respond
from handraise.gateway.sessions import Sessions
from handraise.gateway.settings import GatewaySettings
from handraise.gateway.state import Gateway
from handraise.gateway.tracing import Tracing
from handraise.workspace.database import Database
from handraise.workspace.jobs import JobStore

_OPEN = ["^/static", "^/healthz", "^/readyz"]  # paths that nobody signs in for
# Everything a page needs comes from here, and no page of others may hold ours in a frame.
_HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}
_log = structlog.get_logger()
_membership = msgspec.json.Decoder(MembershipChanged)


async def start(settings: GatewaySettings, running: Running) -> None:
    """Connect, and serve."""
    db = await Database.open(
        settings.database_url, size=settings.handraise_db_connections, name="handraise-gateway"
    )
    running.on_stop(db.close)
    bus = await Bus.connect(settings.nats_url, "handraise-gateway")
    running.on_stop(bus.close)
    gateway = Gateway(
        settings=settings,
        db=db,
        bus=bus,
        store=JobStore(db),
        judge=NatsJudge(bus.connection),
        agents=Agents(db),
        sessions=Sessions(db, utc_now, settings.handraise_session_hours),
        hub=Hub(bus, db),
        clock=utc_now,
    )
    await gateway.hub.listen()
    await _listen_to_rights(gateway)
    running.probes.update(postgres=db.ping, nats=bus.ping)
    await _serve(gateway, running)


def make_app(gateway: Gateway, running: Running) -> Litestar:
    """Return the HTTP application over these connections."""
    from handraise.gateway.pages import page_routes, static_router, template_config

    @get("/healthz", include_in_schema=False, sync_to_thread=False)
    def healthz() -> str:
        return "ok\n"

    @get("/readyz", include_in_schema=False)
    async def readyz() -> Response[str]:
        faults = await unready(running.probes)
        return Response(
            "\n".join(faults) or "ready\n", status_code=503 if faults else 200, media_type="text/plain"
        )

    app = Litestar(
        route_handlers=[api_routes, page_events, *page_routes, static_router, healthz, readyz],
        middleware=[Tracing(), DefineMiddleware(Authentication, exclude=_OPEN)],
        before_request=protect,
        exception_handlers={Exception: respond},
        template_config=template_config,
        response_headers=_HEADERS,
        request_max_body_size=gateway.settings.handraise_max_body,
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=2_000, exclude=["^/api", "^/events"]
        ),
        openapi_config=OpenAPIConfig(
            title="Handraise",
            version="0.1.0",
            description="A self-hosted AI coworker that asks before it acts.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(), YamlRenderPlugin()],
        ),
        logging_config=None,
        debug=False,
    )
    app.state.gateway = gateway
    return app


async def _listen_to_rights(gateway: Gateway) -> None:
    async def changed(message: Msg) -> None:
        try:
            member_id = _membership.decode(message.data).member_id
        except msgspec.MsgspecError:
            member_id = None
        gateway.sessions.forget(member_id)
        gateway.hub.forget_rights()

    await gateway.bus.connection.subscribe("evt.*.membership.*", cb=changed)


async def _serve(gateway: Gateway, running: Running) -> None:
    settings = gateway.settings
    server = Server(
        make_app(gateway, running),
        address=settings.handraise_host,
        port=settings.handraise_port,
        interface=Interfaces.ASGINL,
        http1_settings=HTTP1Settings(header_read_timeout=30_000),
        websockets=False,
        log_enabled=False,
    )
    serving = asyncio.create_task(server.serve())

    async def stop() -> None:
        gateway.hub.stop()
        server.stop()  # type: ignore[no-untyped-call]
        with contextlib.suppress(TimeoutError, asyncio.CancelledError):
            await asyncio.wait_for(serving, 3)

    def ended(task: "asyncio.Task[Any]") -> None:
        if not running.stopping.is_set():
            _log.error("the HTTP server ended", exc_info=None if task.cancelled() else task.exception())
            running.stopping.set()

    serving.add_done_callback(ended)
    running.on_stop(stop)
    _log.info("serving", address=f"http://{settings.handraise_host}:{settings.handraise_port}")
