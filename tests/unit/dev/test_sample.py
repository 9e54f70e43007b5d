"""The sample workspace hangs together: everybody and everything it refers to is in it."""

from handraise.dev.sample import PEOPLE, content, person, sample_id
from handraise.dev.sample.people import MEMBERS
from handraise.workspace.words import MemberRole

HANDLES = {member.handle for member in MEMBERS}


def test_everybody_named_anywhere_is_a_member() -> None:
    named = {
        *content.TEAM_ADMINS,
        *content.TEAM_MEMBERS,
        *(handle for project in content.PROJECTS for handle in (*project.admins, *project.members)),
        *(handle for channel in content.CHANNELS for handle in (*channel.admins, *channel.members)),
        *(task.assignee for task in content.TASKS if task.assignee),
        *(task.by for task in content.TASKS),
        *(message.author for message in content.MESSAGES),
        *(doc.owner for doc in content.DOCS),
    }
    assert named <= HANDLES


def test_forty_two_people_with_five_to_sign_in_as() -> None:
    assert len(MEMBERS) == len(HANDLES) == 42
    assert [someone.name.split()[0] for someone in PEOPLE] == ["Ada", "Ben", "Chen", "Dita", "Eve"]
    assert next(member.role for member in MEMBERS if member.handle == "ada") is MemberRole.ADMIN
    assert next(member.role for member in MEMBERS if member.handle == "eve") is MemberRole.GUEST
    assert person("eve").email == "eve@acme.example"


def test_ada_has_exactly_one_open_task_about_the_login_bug() -> None:
    mine = [task for task in content.TASKS if task.assignee == "ada" and "login bug" in task.title]
    assert [task.key for task in mine] == ["ATL-121"]


def test_each_task_is_in_a_project_and_not_past_its_last_number() -> None:
    last = {project.key: project.last_task for project in content.PROJECTS}
    keys = [task.key for task in content.TASKS]
    assert len(set(keys)) == len(keys)
    assert all(int(number) <= last[project] for project, number in (key.split("-") for key in keys))


def test_who_works_on_a_task_is_in_its_project() -> None:
    people = {project.key: {*project.admins, *project.members} for project in content.PROJECTS}
    assert all(task.assignee in people[task.key[:3]] for task in content.TASKS if task.assignee)


def test_who_writes_somewhere_is_in_there() -> None:
    people = {
        channel.name: {*channel.admins, *channel.members} for channel in content.CHANNELS if channel.members
    }
    for message in content.MESSAGES:
        assert message.author in people.get(message.place.removeprefix("#"), HANDLES)


def test_ids_are_the_same_each_time_and_different_for_each_thing() -> None:
    assert sample_id("task", "ATL-118") == sample_id("task", "ATL-118")
    assert len({sample_id(kind, "ada") for kind in ("member", "channel", "task", "agent")}) == 4
