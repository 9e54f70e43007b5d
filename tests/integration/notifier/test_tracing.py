"""One trace goes from a click through every service: with the id the caller sent, to the last post."""

import asyncio
import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from handraise.dev.sample import sample_id
from tests.support.records import records
from tests.support.stack import House, house
from tests.support.talk import Talk

TRACE = "0af7651916cd43dd8448eb211c80319c"


class Collector:
    """Takes spans as a collector of OpenTelemetry does."""

    def __init__(self) -> None:
        self.spans: list[tuple[str, str, str]] = []
        """Trace, service and name of each."""
        self._more = threading.Condition()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                collector.take(ExportTraceServiceRequest.FromString(body))
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def take(self, request: ExportTraceServiceRequest) -> None:
        with self._more:
            for resource in request.resource_spans:
                service = {a.key: a.value.string_value for a in resource.resource.attributes}["service.name"]
                self.spans += [
                    (span.trace_id.hex(), service, span.name)
                    for scope in resource.scope_spans
                    for span in scope.spans
                ]
            self._more.notify_all()

    def until(self, trace: str, service: str, name: str) -> None:
        """Return once a span is there."""
        with self._more:
            assert self._more.wait_for(lambda: (trace, service, name) in self.spans, 30), self.spans


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()
    thread = threading.Thread(target=made.server.serve_forever)
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


@pytest.fixture
def traced(collector: Collector) -> Iterator[House]:
    settings = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server.server_port}",
        "OTEL_TRACES_SAMPLER_ARG": "1.0",
        "OTEL_BSP_SCHEDULE_DELAY": "200",
    }
    with house(settings, fast=True) as made:
        yield made


async def test_the_callers_trace_reaches_the_audit_and_the_last_post(
    traced: House, collector: Collector
) -> None:
    async with traced.as_("ada") as ada:
        ada.http.headers["traceparent"] = f"00-{TRACE}-b7ad6b7169203331-01"
        talk = await Talk.begin(ada, "@ray find my task about the login bug and mark it as done")
        proposal = await talk.until_asked()
        await ada.confirm(proposal["action_id"])
        await talk.until_ended()
        told = await ada.http.get("/api/jobs/00000000-0000-0000-0000-000000000000")
        assert told.json()["trace_id"] == TRACE
    for service, name in (
        ("handraise-gateway", "POST /api/channels/{channel_id}/messages"),
        ("handraise-runner", "process run"),
        ("handraise-runner", "chat practice-1"),
        ("handraise-permissions", "process judge.check"),
        ("handraise-runner", "process execute"),
        ("handraise-notifier", "process notifier"),
    ):
        await asyncio.to_thread(collector.until, TRACE, service, name)
    async with records(traced.database_url) as owner:
        rows = await owner.rows(
            "SELECT tag, trace_id FROM audit WHERE job_id = $1::uuid OR subject_id = $2",
            talk.job,
            sample_id("task", "ATL-121"),
        )
    assert {row["tag"] for row in rows} >= {
        "job:start",
        "action:propose",
        "action:confirm",
        "task:status",
        "job:done",
    }
    assert {row["trace_id"] for row in rows} == {TRACE}


async def test_without_a_collector_a_trace_has_its_id_all_the_same(stack: House) -> None:
    async with stack.as_("ada") as ada:
        ada.http.headers["traceparent"] = f"00-{TRACE[::-1]}-b7ad6b7169203331-00"
        talk = await Talk.begin(ada, "@ray hello!")
        await talk.until_ended()
    async with records(stack.database_url) as owner:
        rows = await owner.rows("SELECT trace_id FROM audit WHERE job_id = $1::uuid", talk.job)
    assert {row["trace_id"] for row in rows} == {TRACE[::-1]}


@pytest.mark.parametrize(
    "header", ["", "nonsense", "00-0-0-00", f"00-{'0' * 32}-b7ad6b7169203331-01", "ff-" + "f" * 60, "é"]
)
async def test_a_trace_header_that_is_none_is_ignored(header: str, stack: House) -> None:
    async with stack.as_("ada") as ada:
        headers = [(b"traceparent", header.encode())]
        answer = await ada.http.get("/api/me", headers=headers)
        assert answer.status_code == 200
