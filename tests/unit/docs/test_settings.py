"""The tables of settings say what the settings classes say, and nothing else."""

import re

import msgspec

from handraise.common.settings import ServiceSettings
from handraise.gateway.settings import GatewaySettings
from handraise.notifier.settings import NotifierSettings
from handraise.permissions.settings import PermissionsSettings
from handraise.runner.settings import RunnerSettings
from tests.unit.docs.pages import ROOT, bare, pages, said, table

PAGE = ROOT / "docs/quickstart.md"
SERVICES: dict[str, type[ServiceSettings]] = {
    "gateway": GatewaySettings,
    "runner": RunnerSettings,
    "permissions": PermissionsSettings,
    "notifier": NotifierSettings,
}
_VARIABLE = re.compile(r"\b(?:HANDRAISE|MODEL|OTEL|TEST)_[A-Z_]*[A-Z]\b")


def _spelled(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "required"
    match field.default:
        case None:
            return "unset"
        case bool() as flag:
            return str(flag).lower()
        case value:
            return str(value)


def test_every_setting_is_in_the_table_with_who_reads_it_and_its_default_and_no_other_is() -> None:
    documented: dict[tuple[str, str], set[str]] = {}
    for variable, readers, default, _ in table(PAGE, "variable", "read by", "default", "meaning"):
        who = set(SERVICES) if readers == "every service" else set(readers.split(", "))
        documented[bare(variable), bare(default)] = who
    real: dict[tuple[str, str], set[str]] = {}
    for service, kind in SERVICES.items():
        for field in msgspec.structs.fields(kind):
            real.setdefault((field.encode_name, _spelled(field)), set()).add(service)
    assert documented == real


def test_every_setting_says_what_it_means() -> None:
    rows = table(PAGE, "variable", "read by", "default", "meaning")
    assert [row[0] for row in rows if len(row) != 4 or not row[3]] == []


def test_what_the_stack_reads_of_the_environment_is_what_its_table_says() -> None:
    rows = table(PAGE, "variable", "default", "meaning")
    named = {bare(row[0]) for row in rows}
    assert named == {"HANDRAISE_STATE", "HANDRAISE_PORT", "DATABASE_URL", "NATS_URL"}
    assert named <= set(said())


def test_every_variable_that_a_page_mentions_is_read_somewhere() -> None:
    known = {field.encode_name for kind in SERVICES.values() for field in msgspec.structs.fields(kind)}
    mentioned = {name for page in pages() for name in _VARIABLE.findall(page.read_text())}
    assert mentioned - known - set(said()) == set()


def test_a_message_that_is_explained_is_one_that_somebody_can_see() -> None:
    rows = table(PAGE, "it says", "it means", "do")
    assert rows
    unknown = [row[0] for row in rows if not _is_said(bare(row[0]))]
    assert unknown == []


def _is_said(message: str) -> bool:
    """Say whether one text of ours holds these words, with any value where the page has an ellipsis."""
    pattern = ".*".join(re.escape(part) for part in message.split("…"))
    return any(re.search(pattern, text, re.DOTALL) for text in said())
