"""Teams, projects and channels: made by hand, and who is in them."""

import re
from uuid import uuid4

from handraise.dev.sample import sample_id
from tests.integration.gateway.browsing import browsing, channel, project
from tests.support.stack import House

TEAM = f"/teams/{sample_id('team', 'Product')}"
ADA, BEN, CHEN, EVE = (str(sample_id("member", handle)) for handle in ("ada", "ben", "chen", "eve"))


def fresh(stem: str) -> str:
    """Return a name that nothing else has."""
    return f"{stem}-{uuid4().hex[:12]}"


async def test_a_channel_is_made_and_its_people_chosen_by_its_admin(stack: House) -> None:
    name = fresh("talk")
    async with browsing(stack, "ben") as ben:
        page = await ben.page("/channels/new")
        assert 'value="public" checked' in page
        answer = await ben.post("/channels", name=name, kind="private", topic="What we talk about")
        path = answer.headers["location"]
        page = await ben.page(path)
        assert "What we talk about" in page
        assert f'href="{path}/members"' in page
        people = f"{path}/members"
        found = await ben.page(f"{people}?q=chen")
        assert f'action="{people}/{CHEN}"' in found
        page = await ben.sent(f"{people}/{CHEN}", role="member", back=people)
        assert "Added Chen Wei to" in page
        assert f'action="{people}/{CHEN}/remove"' in page
    async with browsing(stack, "chen") as chen:
        page = await chen.page(people)
        assert "/remove" not in page
        assert "Not permitted." in await chen.sent(f"{people}/{ADA}", role="member", back=people)
    async with browsing(stack, "ada") as ada:
        assert (await ada.get(people)).status_code == 404
        assert (await ada.post(f"{people}/{ADA}", role="admin", back=people)).status_code == 404
    async with browsing(stack, "ben") as ben:
        assert "Made Chen Wei an admin" in await ben.sent(f"{people}/{CHEN}/role", role="admin", back=people)
        gone = await ben.post(f"{people}/{BEN}/remove", back=people)
        assert gone.headers["location"] == "/"
        assert (await ben.get(people)).status_code == 404


async def test_a_place_keeps_its_last_admin(stack: House) -> None:
    async with browsing(stack, "ben") as ben:
        path = (await ben.post("/channels", name=fresh("mine"), kind="private", topic="")).headers["location"]
        people = f"{path}/members"
        for verb, role in (("role", "member"), ("remove", "")):
            page = await ben.sent(f"{people}/{BEN}/{verb}", role=role, back=people)
            assert "make somebody else an admin first" in page


async def test_a_name_that_is_taken_or_none_stays_in_the_form(stack: House) -> None:
    async with browsing(stack, "ben") as ben:
        answer = await ben.post("/channels", name="release", kind="announcement", topic="Kept")
        assert answer.status_code == 409
        assert "There is a channel #release already" in answer.text
        assert 'value="announcement" checked' in answer.text
        assert 'value="Kept"' in answer.text
        answer = await ben.post("/channels", name="a b", kind="public", topic="")
        assert answer.status_code == 422
        answer = await ben.post("/channels", name="fine", kind="secret", topic="")
        assert answer.status_code == 422


async def test_the_people_of_a_channel_are_shown_to_whoever_reads_it(stack: House) -> None:
    async with browsing(stack, "eve") as eve:
        assert "Dita Moreau" in await eve.page(f"{channel('general')}/members?q=dita")
        assert (await eve.get(f"{channel('release')}/members")).status_code == 404
        assert (await eve.get(f"{project()}/members")).status_code == 404


async def test_a_project_is_made_by_an_admin_of_its_team_alone(stack: House) -> None:
    name = f"Nova {uuid4().hex[:6]}"
    async with browsing(stack, "ada") as ada:
        assert "You are an admin of no team" in await ada.page("/projects/new")
        team = TEAM.rpartition("/")[2]
        assert (await ada.post("/projects", team=team, name=name)).status_code == 403
        assert "New project" not in await ada.page(TEAM)
    async with browsing(stack, "dita") as dita:
        assert f"/projects/new?team={team}" in await dita.page(TEAM)
        answer = await dita.post("/projects", team=team, name=name, key="x", description="For later")
        assert answer.status_code == 422
        assert 'value="x"' in answer.text
        assert "For later</textarea>" in answer.text
        page = await dita.sent("/projects", team=team, name=name, key="", description="For later")
        assert name in page
        assert "you are an admin" in page
        assert "of the team Product" in page
        assert name in await dita.page(TEAM)


async def test_who_is_added_to_a_project_reads_it_and_who_is_taken_out_does_not(stack: House) -> None:
    async with browsing(stack, "dita") as dita:
        team = TEAM.rpartition("/")[2]
        path = (await dita.post("/projects", team=team, name=fresh("Door"))).headers["location"]
        people = f"{path}/members"
        async with browsing(stack, "eve") as eve:
            assert (await eve.get(path)).status_code == 404
            await dita.sent(f"{people}/{EVE}", role="admin", back=people)
            assert "New task" in await eve.page(path)
            await dita.sent(f"{people}/{EVE}/role", role="member", back=people)
            assert "New task" not in await eve.page(path)
            await dita.sent(f"{people}/{EVE}/remove", back=people)
            assert (await eve.get(path)).status_code == 404


async def test_teams_are_made_by_admins_of_the_workspace_and_seen_by_all_but_guests(stack: House) -> None:
    name = fresh("Guild")
    async with browsing(stack, "ada") as ada:
        answer = await ada.post("/teams", name="Product")
        assert answer.status_code == 409
        assert 'value="Product"' in answer.text
        page = await ada.sent("/teams", name=name)
        assert "you are an admin" in page
        found = re.search(r'href="(/teams/[0-9a-f-]+)/members"', page)
        assert found
    async with browsing(stack, "ben") as ben:
        page = await ben.page("/teams")
        assert name in page
        assert "New team" not in page
        assert "you are not in it" in await ben.page(found[1])
        assert (await ben.post("/teams", name=fresh("Mine"))).status_code == 403
    async with browsing(stack, "eve") as eve:
        assert name not in await eve.page("/teams")
        assert (await eve.get(found[1])).status_code == 404


async def test_forms_that_change_who_is_in_a_place_need_their_token(stack: House) -> None:
    async with browsing(stack, "dita") as dita:
        for path in (f"{TEAM}/members/{EVE}", f"{TEAM}/members/{BEN}/role", f"{TEAM}/members/{BEN}/remove"):
            assert (await dita.http.post(path, data={"role": "admin"})).status_code == 403
            assert (await dita.get(path)).status_code == 405
