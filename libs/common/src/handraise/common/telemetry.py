"""Traces, metrics and logs: one trace from a click to the last service, carried in message headers.

One span a handler, none a query: a span costs more than the statement it would describe. A trace that is
not sampled still has its id, so logs and audit rows name it all the same.
"""

import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import structlog
from opentelemetry import trace
from opentelemetry.context import attach, detach
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ParentBased, TraceIdRatioBased
from opentelemetry.trace import NonRecordingSpan, Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from handraise.common.settings import ServiceSettings

_tracer = trace.get_tracer("handraise")
_propagator = TraceContextTextMapPropagator()


def set_up(service: str, settings: ServiceSettings) -> None:
    """Configure logging and traces of this process, once, before anything else is made."""
    _set_up_logs(service, settings)
    endpoint = settings.otel_exporter_otlp_endpoint
    share = settings.otel_traces_sampler_arg
    sampler = ParentBased(TraceIdRatioBased(share)) if endpoint else ParentBased(ALWAYS_OFF)
    provider = TracerProvider(resource=Resource({"service.name": f"handraise-{service}"}), sampler=sampler)
    if endpoint:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)


def shut_down() -> None:
    """Send what is left to send."""
    provider = trace.get_tracer_provider()
    if isinstance(provider, TracerProvider):
        provider.shutdown()


def headers() -> dict[str, str]:
    """Return the headers that carry the present trace to whoever takes the message."""
    context = trace.get_current_span().get_span_context()
    if not context.is_valid:
        return {}
    return {"traceparent": f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"}


def trace_id() -> str | None:
    """Return the present trace's id, 32 hex digits, or None outside of any."""
    context = trace.get_current_span().get_span_context()
    return format(context.trace_id, "032x") if context.is_valid else None


@contextmanager
def span(name: str, kind: SpanKind, carried: Mapping[str, str] | None, **attributes: Any) -> Iterator[Span]:
    """Work inside a span that goes on from `carried`. An exception marks it failed; a refusal must not raise."""
    parent = _propagator.extract(carried) if carried else None
    above = trace.get_current_span(parent).get_span_context()
    if above.is_valid and not above.trace_flags.sampled:
        # A trace that nobody keeps needs its id carried on and no span of its own.
        token = attach(trace.set_span_in_context(NonRecordingSpan(above)))
        try:
            yield trace.get_current_span()
        finally:
            detach(token)
        return
    with _tracer.start_as_current_span(
        name,
        context=parent,
        kind=kind,
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as current:
        try:
            yield current
        except Exception as error:
            current.record_exception(error)
            current.set_status(Status(StatusCode.ERROR, type(error).__name__))
            raise


def _add_trace(_: Any, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    if (found := trace_id()) is not None:
        event["trace_id"] = found
    return event


def _set_up_logs(service: str, settings: ServiceSettings) -> None:
    level = logging.getLevelNamesMapping().get(settings.handraise_log_level.upper(), logging.INFO)
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _add_trace,
    ]
    json = settings.handraise_log == "json"
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if json
        else structlog.dev.ConsoleRenderer(
            colors=sys.stdout.isatty(),
            pad_event_to=0,
            # No values of variables: they may be somebody's words, or a key.
            exception_formatter=structlog.dev.plain_traceback,
        )
    )
    last: list[structlog.typing.Processor] = [structlog.processors.format_exc_info] if json else []
    structlog.configure(
        processors=[*shared, *last, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stdout),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(service=service)
    # What libraries log goes out in the same shape; below a warning it is of no use to who runs this.
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *last,
                renderer,
            ],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
