"""Settings come from the environment whole, or one error names every fault and no value."""

import pytest

from handraise.common.settings import ServiceSettings, SettingsError, load

GIVEN = {"DATABASE_URL": "postgresql://x", "NATS_URL": "nats://x"}


def test_what_is_not_set_has_its_default() -> None:
    settings = load(ServiceSettings, GIVEN)
    assert settings.database_url == "postgresql://x"
    assert (settings.handraise_health_port, settings.handraise_log) == (0, "console")
    assert settings.otel_exporter_otlp_endpoint is None


def test_words_become_numbers() -> None:
    settings = load(
        ServiceSettings, GIVEN | {"HANDRAISE_HEALTH_PORT": "8431", "OTEL_TRACES_SAMPLER_ARG": "0.25"}
    )
    assert (settings.handraise_health_port, settings.otel_traces_sampler_arg) == (8431, 0.25)


def test_everything_that_is_missing_is_named_at_once() -> None:
    with pytest.raises(SettingsError, match="set DATABASE_URL and NATS_URL in the environment"):
        load(ServiceSettings, {})


def test_an_empty_variable_counts_as_unset() -> None:
    with pytest.raises(SettingsError, match="set NATS_URL"):
        load(ServiceSettings, GIVEN | {"NATS_URL": ""})
    assert load(ServiceSettings, GIVEN | {"HANDRAISE_HEALTH_PORT": ""}).handraise_health_port == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HANDRAISE_HEALTH_PORT", "http"),
        ("OTEL_TRACES_SAMPLER_ARG", "half"),
        ("HANDRAISE_DB_CONNECTIONS", "8.5"),
    ],
)
def test_a_value_that_does_not_fit_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} is not usable"):
        load(ServiceSettings, GIVEN | {name: value})


def test_other_variables_are_nobodys_business() -> None:
    assert (
        load(ServiceSettings, GIVEN | {"PATH": "/bin", "database_url": "other"}).database_url
        == "postgresql://x"
    )
