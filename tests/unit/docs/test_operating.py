"""What the page for operators names is what there is: metrics with their labels, streams, consumers."""

import ast

from handraise.common.bus import topology
from handraise.common.bus.subjects import SHARDS
from tests.unit.docs.pages import ROOT, bare, calls, table

PAGE = ROOT / "docs/operating.md"


def test_every_metric_is_on_the_page_with_its_labels_and_no_other_is() -> None:
    real = {}
    for _, call in calls("Counter", "Histogram", "Gauge", "Summary", origin="prometheus_client"):
        name = ast.literal_eval(call.args[0])
        real[name] = ast.literal_eval(call.args[2]) if len(call.args) > 2 else []
    assert real
    documented = {
        bare(name): [label for label in bare(labels).split(", ") if label]
        for name, labels, _ in table(PAGE, "name", "labels", "what")
    }
    assert documented == real


def test_every_stream_is_on_the_page_and_no_other_is() -> None:
    documented = {bare(name) for name, _, _ in table(PAGE, "stream", "holds", "kept")}
    assert documented == {stream.name for stream in topology.streams(1)}


def test_every_consumer_is_on_the_page() -> None:
    first, last = topology.parked(0), topology.parked(SHARDS - 1)
    names = {consumer.durable_name for _, consumer in topology.consumers()}
    shards = {topology.parked(shard) for shard in range(SHARDS)}
    text = PAGE.read_text()
    assert f"`{first}` to `{last}`" in text
    assert [name for name in names - shards if f"`{name}`" not in text] == []
