"""The tools that read: each one gated statement, as the member the job runs as."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.database import Database
from handraise.workspace.policy import Act
from handraise.workspace.tools.names import no_channel, none_to_see, only_group, only_person
from handraise.workspace.tools.tool import InvalidArguments, Tool
from handraise.workspace.views import (
    people_search,
    tools_conversations,
    tools_projects,
    tools_search,
    tools_talk,
    tools_tasks,
)
from handraise.workspace.views.search_terms import query_of


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """No arguments."""


class OfProject(Struct, frozen=True, forbid_unknown_fields=True):
    project_id: Annotated[UUID, Meta(description="The project's id, as list_projects returned it.")]


class Search(Struct, frozen=True, forbid_unknown_fields=True):
    query: Annotated[str, Meta(description="Words, or beginnings of words, that all must occur.")]


Limit = Annotated[int, Meta(ge=1, le=200, description="How many messages, the newest.")]


class Summarize(Struct, frozen=True, forbid_unknown_fields=True):
    channel: Annotated[str, Meta(description="The channel's name or id.")]
    limit: Limit = 50


class SummarizeDm(Struct, frozen=True, forbid_unknown_fields=True):
    person: Annotated[str, Meta(description="The other person's name, handle or id.")]
    limit: Limit = 50


class SummarizeGroup(Struct, frozen=True, forbid_unknown_fields=True):
    group: Annotated[str, Meta(description="The group's name or id.")]
    limit: Limit = 50


class OfDoc(Struct, frozen=True, forbid_unknown_fields=True):
    doc_id: Annotated[UUID, Meta(description="The doc's id, as search_workspace returned it.")]


class Find(Struct, frozen=True, forbid_unknown_fields=True):
    query: Annotated[str, Meta(description="A name, a handle, or a part of one.")]


Fetch = Callable[[AsyncConnection, UUID, UUID, Any], Awaitable[dict[str, Any]]]


def _tool(name: str, description: str, arguments: type[Struct], act: Act, fetch: Fetch) -> Tool:
    async def run(db: Database, workspace_id: UUID, member_id: UUID, args: Any) -> dict[str, Any]:
        async with db.read(workspace_id) as connection:
            return await fetch(connection, workspace_id, member_id, args)

    return Tool(name=name, description=description, arguments=arguments, act=act, run=run)


async def _my_tasks(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, _: Nothing
) -> dict[str, Any]:
    return {"tasks": await tools_tasks.my_tasks(connection, workspace_id, member_id)}


async def _projects(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, _: Nothing
) -> dict[str, Any]:
    return {"projects": await tools_tasks.my_projects(connection, workspace_id, member_id)}


async def _project_tasks(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, args: OfProject
) -> dict[str, Any]:
    found = await tools_tasks.project_tasks(connection, workspace_id, member_id, args.project_id)
    if found is None:
        raise none_to_see("project", "list_projects")
    return {"tasks": found}


async def _search(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, args: Search
) -> dict[str, Any]:
    query = query_of(args.query)
    if query is None:
        raise InvalidArguments("The query has no word in it. Name what to look for.")
    return {"results": await tools_search.find(connection, workspace_id, member_id, query)}


async def _summarize(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, args: Summarize
) -> dict[str, Any]:
    found = await tools_talk.channel_talk(connection, workspace_id, member_id, args.channel, args.limit)
    if found is None:
        raise await no_channel(connection, workspace_id, member_id, args.channel)
    return {"channel": found[0], "messages": found[1]}


async def _dm(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, args: SummarizeDm
) -> dict[str, Any]:
    talk = await tools_conversations.talk_with(connection, workspace_id, member_id, args.person, args.limit)
    return {"with": only_person(args.person, talk.found).name, "messages": talk.messages}


async def _group(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, args: SummarizeGroup
) -> dict[str, Any]:
    talk = await tools_conversations.talk_of_group(
        connection, workspace_id, member_id, args.group, args.limit
    )
    found = await only_group(connection, workspace_id, member_id, args.group, talk.found)
    return {"group": found.name, "with": found.detail, "messages": talk.messages}


async def _project(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, args: OfProject
) -> dict[str, Any]:
    found = await tools_projects.project(connection, workspace_id, member_id, args.project_id)
    if found is None:
        raise none_to_see("project", "list_projects")
    return found


async def _teams(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, _: Nothing
) -> dict[str, Any]:
    return {"teams": await tools_projects.teams_of(connection, workspace_id, member_id)}


async def _doc(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, args: OfDoc
) -> dict[str, Any]:
    found = await tools_search.doc(connection, workspace_id, member_id, args.doc_id)
    if found is None:
        raise none_to_see("doc", "search_workspace")
    return found


async def _people(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, args: Find
) -> dict[str, Any]:
    query = args.query.strip().removeprefix("@")
    if not query:
        raise InvalidArguments("The query is empty. Give a name or a part of one.")
    return {"people": await people_search.people(connection, workspace_id, member_id, query)}


READS = (
    _tool(
        "list_my_tasks",
        "Lists the tasks assigned to the person you work for, open ones first.",
        Nothing,
        Act.TASK_READ,
        _my_tasks,
    ),
    _tool(
        "list_projects",
        "Lists the projects the person you work for is in, and whether as an admin.",
        Nothing,
        Act.PROJECT_READ,
        _projects,
    ),
    _tool(
        "list_project_tasks",
        "Lists a project's tasks with who has them, open ones first.",
        OfProject,
        Act.PROJECT_READ,
        _project_tasks,
    ),
    _tool(
        "get_project",
        "Returns a project at a glance: its people, how many tasks stand where, its newest docs.",
        OfProject,
        Act.PROJECT_READ,
        _project,
    ),
    _tool(
        "list_teams",
        "Lists the teams, what the person you work for is in each, and their projects there.",
        Nothing,
        Act.TEAM_READ,
        _teams,
    ),
    _tool(
        "search_workspace",
        "Searches tasks, messages and docs for words. Returns the best matches with an excerpt.",
        Search,
        Act.PROJECT_READ,
        _search,
    ),
    _tool(
        "summarize_channel",
        "Returns the newest messages of a channel, for you to catch up on or to summarize.",
        Summarize,
        Act.CHANNEL_READ,
        _summarize,
    ),
    _tool(
        "summarize_dm",
        "Returns the newest direct messages with somebody, for you to catch up on or to summarize.",
        SummarizeDm,
        Act.CONVERSATION_READ,
        _dm,
    ),
    _tool(
        "summarize_group",
        "Returns the newest messages of a group, for you to catch up on or to summarize.",
        SummarizeGroup,
        Act.CONVERSATION_READ,
        _group,
    ),
    _tool("read_doc", "Returns a doc's whole text.", OfDoc, Act.DOC_READ, _doc),
    _tool(
        "find_people",
        "Finds people of the workspace by name or handle. Ask when several fit.",
        Find,
        Act.DM_SEND,
        _people,
    ),
)
