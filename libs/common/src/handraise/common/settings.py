"""Settings from the environment: one frozen object a service, or one clear error that names every fault."""

import os
from collections.abc import Mapping
from typing import TypeVar

import msgspec


class SettingsError(ValueError):
    """The environment does not hold what the service needs. The text says which variable and why."""


class ServiceSettings(msgspec.Struct, frozen=True, kw_only=True, rename=str.upper):
    """What every service reads. A field's variable is its name in capitals."""

    database_url: str
    nats_url: str
    handraise_health_port: int = 0  # 0: any free port
    handraise_health_host: str = "127.0.0.1"
    handraise_log: str = "console"  # or json
    handraise_log_level: str = "info"
    handraise_db_connections: int = 8
    otel_exporter_otlp_endpoint: str | None = None
    otel_traces_sampler_arg: float = 0.1  # the share of traces that is kept, 0..1


S = TypeVar("S", bound=ServiceSettings)


def load(kind: type[S], environ: Mapping[str, str] | None = None) -> S:
    """Read `kind` from the environment. An empty variable counts as unset. Raises SettingsError."""
    given = os.environ if environ is None else environ
    fields = msgspec.structs.fields(kind)
    values = {f.encode_name: given[f.encode_name] for f in fields if given.get(f.encode_name)}
    missing = [f.encode_name for f in fields if f.required and f.encode_name not in values]
    if missing:
        raise SettingsError(f"set {' and '.join(missing)} in the environment")
    for field in fields:
        if field.encode_name in values:
            try:
                msgspec.convert(values[field.encode_name], field.type, strict=False)
            except msgspec.ValidationError as error:
                raise SettingsError(f"{field.encode_name} is not usable: {error}") from None
    return msgspec.convert(values, kind, strict=False)
