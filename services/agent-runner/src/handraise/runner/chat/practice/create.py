"""Stories that make something new: a task, with the environment and project it needs."""

import re
from typing import Any

from handraise.runner.chat.practice.script import Said, Script, reported
from handraise.runner.chat.practice.words import best_matches, free_choice, sentence_case, strip_article

ENVIRONMENT_QUESTION = "Which environment should I deploy to?"
_LONGEST_TITLE = 200
ENVIRONMENTS = ("staging", "production")
_DEPLOY = re.compile(r"\b(?:re)?deploy(?:ment|ing)?\b", re.IGNORECASE)
_KNOWN = re.compile(
    r"\b(?:to|on|in|into) (?:the )?(staging|production|prod|test|sandbox|dev|development|qa|canary)\b", re.I
)


def open_task(script: Script, found: re.Match[str]) -> str:
    """Ask what is missing, look up the project, propose the task, report by its receipt."""
    wish = found["what"].strip(' .!:"“”')
    environment, asked = _environment(script, wish)
    project, wish = _project(script, _KNOWN.sub("", wish).strip() if environment else wish)
    title = _title(wish, environment)
    note = (
        "" if environment or not asked else " You did not say which environment, so the title leaves it out."
    )
    receipt = script.propose(
        "create_task",
        f"I propose a task “{title}” in {project['name']}.{note}",
        project_id=project["id"],
        title=title,
    )
    told = reported(receipt, f"I created the task “{title}”")
    return f"{told}{note}"


def _environment(script: Script, wish: str) -> tuple[str, bool]:
    """Return the environment of a deployment, empty when it is none or left open, and whether we asked."""
    if not _DEPLOY.search(wish):
        return "", False
    if known := _KNOWN.search(wish):
        return known[1], False
    seen = script.ask(ENVIRONMENT_QUESTION, ENVIRONMENTS)
    if seen.status != "answered":
        return "", True
    return (seen.words if seen.chosen else free_choice(seen.words)), True


def _title(wish: str, environment: str) -> str:
    if not _DEPLOY.search(wish):
        return sentence_case(strip_article(wish))[:_LONGEST_TITLE].rstrip()
    what = strip_article(" ".join(_DEPLOY.sub(" ", wish).split()))
    title = f"Deploy {sentence_case(what) if what else 'the release'}"
    if environment:
        title = f"{title} to {' '.join(environment.split())}"
    return title[:_LONGEST_TITLE].rstrip()


def _project(script: Script, wish: str) -> tuple[dict[str, Any], str]:
    """Return the project for something new, and the wish without the project's name in it."""
    projects: list[dict[str, Any]] = script.read("list_projects").get("projects", [])
    if not projects:
        raise Said("You are in no project, so there is nowhere to put it. Nothing was changed.")
    for project in projects:
        names = "|".join(re.escape(str(project[key])) for key in ("name", "key") if project.get(key))
        spelled = re.compile(
            rf"[\s,]*\b(?:in|into|to|for|on)\s+(?:the\s+)?(?:project\s+)?(?:{names})\b(?:\s+project)?", re.I
        )
        if spelled.search(wish):
            return project, spelled.sub("", wish, count=1).strip()
    administered = [project for project in projects if project.get("role") == "admin"]
    for candidates in (projects, administered):
        if len(candidates) == 1:
            return candidates[0], wish
    offered = (administered or projects)[:20]
    seen = script.ask("Which project should it go into?", tuple(str(project["name"]) for project in offered))
    if seen.status == "answered":
        matches = best_matches(
            seen.words, projects, lambda project: f"{project['name']} {project.get('key', '')}"
        )
        if len(matches) == 1:
            return matches[0], wish
        raise Said(f"I know no project by “{seen.words}” that you are in. Nothing was changed.")
    raise Said("I do not know which project it should go into, so I opened nothing.")


def write_doc(script: Script, found: re.Match[str]) -> str:
    """Propose a doc; ask for its text when the request holds none."""
    title = sentence_case(found["title"].strip(' .!"“”'))[:_LONGEST_TITLE].rstrip()
    body = (found["body"] or "").strip()
    if not body:
        seen = script.ask(f"What should stand in the doc “{title[:100]}”?")
        body = seen.words if seen.status == "answered" else "(nothing written yet)"
    receipt = script.propose("create_doc", f"I propose a doc “{title}”.", title=title, body=body)
    return reported(receipt, f"I created the doc “{title}”")


DOCS = (
    (
        re.compile(
            r"^(?:create|write|make|start|add|new)\s+(?:me\s+)?(?:an?\s+|the\s+)?(?:new\s+)?(?:doc|document|page)\s*"
            r"(?:called|named|titled|about|on|for|:)?\s*(?P<title>[^:\n]+?)\s*(?:[:\n]\s*(?P<body>.+))?$",
            re.IGNORECASE | re.DOTALL,
        ),
        write_doc,
    ),
)
TASKS = (
    (
        re.compile(
            r"^(?:open|create|add|file|make|start|raise|new)\s+(?:me\s+)?(?:an?\s+|the\s+)?(?:new\s+)?"
            r"(?:task|ticket|issue|to-?do)\s*(?:for|to|about|called|named|titled|that says|:)?\s*:?\s*(?P<what>.+)$",
            re.IGNORECASE | re.DOTALL,
        ),
        open_task,
    ),
)
