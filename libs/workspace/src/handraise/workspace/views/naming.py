"""What people call the places that work is done in."""

from typing import Any

from sqlalchemy import ColumnElement, case, func, null, select

from handraise.workspace.schema import agents, channels, conversations, projects, tasks
from handraise.workspace.words import ConversationKind, Surface


def place_name(surface: ColumnElement[Any], place_id: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return what people call a place: “#release”, “ATL-118 Fix login bug”, “Direct message with @ray”."""
    channel = select("#" + channels.c.name).where(channels.c.id == place_id).scalar_subquery()
    task = (
        select(func.concat(projects.c.key, "-", tasks.c.number, " ", tasks.c.title))
        .select_from(tasks.join(projects, projects.c.id == tasks.c.project_id))
        .where(tasks.c.id == place_id)
        .scalar_subquery()
    )
    talk = (
        select(
            case(
                (conversations.c.kind == ConversationKind.GROUP, conversations.c.name),
                (agents.c.handle.is_not(None), func.concat("Direct message with @", agents.c.handle)),
                else_="Direct message",
            )
        )
        .select_from(conversations.outerjoin(agents, agents.c.id == conversations.c.agent_id))
        .where(conversations.c.id == place_id)
        .scalar_subquery()
    )
    return case(
        (surface == Surface.CHANNEL_THREAD, channel),
        (surface == Surface.TASK, task),
        (surface.in_((Surface.DM, Surface.GROUP)), talk),
        else_=null(),
    )
