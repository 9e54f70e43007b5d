"""The templates and the static files: one Jinja environment, and addresses that change with the content."""

import hashlib
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar.datastructures import CacheControlHeader
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.static_files import create_static_files_router
from litestar.template import TemplateConfig
from markupsafe import Markup

from handraise.common.ids import new_id
from handraise.gateway.pages import marks, wording
from handraise.gateway.pages.prose import prose
from handraise.workspace.words import TaskStatus

ROOM = Path(__file__).parent.parent
STATIC = ROOM / "static"

STYLESHEETS = [
    f"css/{name}.css" for name in ("base", "frame", "cards", "talk", "rooms", "work", "native", "narrow")
]
SCRIPTS = ["vendor/htmx.min.js", "vendor/sse.js", "vendor/idiomorph-ext.min.js", "app.js"]


@lru_cache
def static(name: str) -> str:
    """Return the address of a static file, with its content's hash, so that it may be cached for good."""
    try:
        digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    except FileNotFoundError:
        # The browser libraries come at set-up; without them the pages still work, with reloads.
        return f"/static/{name}"
    return f"/static/{name}?v={digest}"


def icon(name: str, classes: str = "") -> Markup:
    """Return an icon of the sprite; its colour is the text's."""
    return Markup('<svg class="i{}" aria-hidden="true"><use href="{}#{}"/></svg>').format(
        f" {classes}" if classes else "", static("icons.svg"), name
    )


def environment() -> Environment:
    """Make the environment. A name that a template misspells is an error, never an empty string."""
    env = Environment(
        loader=FileSystemLoader(ROOM / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals.update(
        icon=icon,
        static=static,
        stylesheets=STYLESHEETS,
        scripts=SCRIPTS,
        statuses=[status.value for status in TaskStatus],
        status_label=lambda status: TaskStatus(status).label,
        fresh_id=new_id,
        count_title=lambda waiting: f"({waiting}) " if waiting else "",
        rich=wording.rich,
        prose=prose,
        plain_title=wording.plain_title,
        counted=wording.counted,
        past_mark=marks.past_mark,
        open_mark=marks.open_mark,
        heavy_mark=marks.heavy_mark,
        channel_mark=marks.channel_mark,
        lately_line=marks.lately_line,
    )
    return env


template_config = TemplateConfig(instance=JinjaTemplateEngine.from_environment(environment()))

static_router = create_static_files_router(
    path="/static",
    directories=[STATIC],
    cache_control=CacheControlHeader(public=True, max_age=31_536_000),  # their addresses change with them
    include_in_schema=False,
)
