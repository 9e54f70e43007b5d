"""What a person is shown before a doc, a project or a reminder is made."""

from uuid import UUID

import msgspec

from handraise.common.clock import utc_now
from handraise.workspace.actions.append_to_doc import AppendToDoc
from handraise.workspace.actions.create_doc import CreateDoc, readers, visibility_of
from handraise.workspace.actions.create_project import CreateProject
from handraise.workspace.actions.moments import check_to_come, moment_of
from handraise.workspace.actions.order import Cannot
from handraise.workspace.actions.set_reminder import SetReminder
from handraise.workspace.actions.wording import in_zone, said
from handraise.workspace.database import Database
from handraise.workspace.tools.names import none_to_see
from handraise.workspace.tools.tool import InvalidArguments, Preview
from handraise.workspace.tools.writing import writing
from handraise.workspace.views import tools_docs, tools_tasks


async def _create_doc(
    db: Database, workspace_id: UUID, member_id: UUID, args: CreateDoc
) -> tuple[CreateDoc, Preview]:
    filed, link = None, None
    async with db.read(workspace_id) as connection:
        if args.project_id is not None:
            project = await tools_tasks.project_seen(connection, workspace_id, member_id, args.project_id)
            if project is None:
                raise none_to_see("project", "list_projects")
            filed, link = project.name, f"/projects/{args.project_id}"
        elif args.team_id is not None:
            filed = await tools_docs.team_seen(connection, workspace_id, member_id, args.team_id)
            if filed is None:
                raise none_to_see("team", "list_teams")
            link = f"/teams/{args.team_id}"
    args = msgspec.structs.replace(args, title=args.title.strip())
    return args, Preview(
        sentence=f"Create doc “{args.title}”",
        draft=args.body or None,
        facts=(("In", readers(visibility_of(args), filed)),),
        link=link,
    )


async def _append(
    db: Database, workspace_id: UUID, member_id: UUID, args: AppendToDoc
) -> tuple[AppendToDoc, Preview]:
    async with db.read(workspace_id) as connection:
        title = await tools_docs.doc_seen(connection, workspace_id, member_id, args.doc_id)
    if title is None:
        raise none_to_see("doc", "search_workspace")
    return args, Preview(sentence=f"Add to doc “{title}”", draft=args.text, link=f"/docs/{args.doc_id}")


async def _create_project(
    db: Database, workspace_id: UUID, member_id: UUID, args: CreateProject
) -> tuple[CreateProject, Preview]:
    async with db.read(workspace_id) as connection:
        team = await tools_docs.team_seen(connection, workspace_id, member_id, args.team_id)
    if team is None:
        raise none_to_see("team", "list_teams")
    args = msgspec.structs.replace(args, name=args.name.strip())
    facts = [("Team", team)] + ([("Key", args.key)] if args.key else [])
    return args, Preview(
        sentence=f"Create project “{args.name}”",
        draft=args.description or None,
        facts=tuple(facts),
        link=f"/teams/{args.team_id}",
    )


async def _remind(
    db: Database, workspace_id: UUID, member_id: UUID, args: SetReminder
) -> tuple[SetReminder, Preview]:
    async with db.read(workspace_id) as connection:
        zone = await tools_docs.zone_seen(connection, workspace_id, member_id)
    try:
        at = moment_of(args.at, zone)
        spoken = said(at, zone)
        check_to_come(at, spoken, utc_now())
    except Cannot as cannot:
        raise InvalidArguments(str(cannot)) from None
    # What is confirmed is the moment that was shown, whatever becomes of clocks and zones until then.
    args = msgspec.structs.replace(args, at=in_zone(at, zone).isoformat())
    return args, Preview(
        sentence=f"Remind you on {spoken}",
        draft=args.text,
        facts=(("Zone", zone),),
        link="/reminders",
    )


WRITING = (
    writing("create_project", "Creates a project for a team.", _create_project),
    writing("create_doc", "Creates a doc, in a project, with a team, or private.", _create_doc),
    writing("append_to_doc", "Adds text at the end of a doc.", _append),
    writing("set_reminder", "Reminds the person you work for at a time.", _remind),
)
