"""Lock files name what is installed by its digest, never where one machine got it from."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_browser_lock_pins_each_package_by_digest_and_holds_no_address() -> None:
    text = (ROOT / "services/gateway/package-lock.json").read_text()
    packages = {name: entry for name, entry in json.loads(text)["packages"].items() if name}
    assert {"node_modules/htmx.org", "node_modules/htmx-ext-sse", "node_modules/idiomorph"} <= packages.keys()
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())
    assert "://" not in text


def test_the_python_lock_pins_each_package_by_digest_and_holds_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text()
    pinned = re.findall(r"(?m)^[a-z0-9][\w.-]*(?:\[[\w,-]+\])?==\S+[^\n]*\\\n +--hash=sha256:", text)
    assert len(pinned) == len(re.findall(r"(?m)^[a-z0-9]", text)) > 50
    assert "://" not in text
    assert "--index" not in text
