"""People, conversations with them, and groups, by a browser without script."""

from uuid import uuid4

from handraise.dev.sample import sample_id
from tests.integration.gateway.browsing import Browser, browsing
from tests.support.stack import House

BEN, CHEN, DITA, EVE = (str(sample_id("member", handle)) for handle in ("ben", "chen", "dita", "eve"))


async def post_all(browser: Browser, path: str, people: list[str], **fields: str) -> tuple[int, str, str]:
    """Send a form with several people ticked; return the status, where it leads, and the page."""
    answer = await browser.http.post(path, data={"csrf": browser.csrf, "people": people, **fields})
    return answer.status_code, answer.headers.get("location", ""), answer.text


async def test_people_are_listed_and_found_by_a_part_of_their_name(stack: House) -> None:
    async with browsing(stack, "ben") as ben:
        assert "42 people in Acme, and @ray" in await ben.page("/people")
        found = await ben.page("/people?q=wei")
        assert "Chen Wei" in found
        assert "Dita Moreau" not in found
        part = await ben.page("/people?part=people&q=dita")
        assert "<html" not in part
        assert "Dita Moreau" in part
        assert "Nobody by that name." in await ben.page("/people?q=zzzz")


async def test_a_message_to_somebody_opens_the_one_conversation_with_them(stack: House) -> None:
    async with browsing(stack, "chen") as chen:
        answer = await chen.post(f"/people/{DITA}/message")
        path = answer.headers["location"]
        assert path.startswith("/dm/")
        page = await chen.page(path)
        assert "Only Dita Moreau and you read this." in page
        assert (await chen.post(f"/people/{DITA}/message")).headers["location"] == path
        assert f'href="{path}"' in await chen.page(f"/people/{DITA}")
        words = f"hello {uuid4().hex}"
        await chen.post(path, body=words, back=path)
    async with browsing(stack, "dita") as dita:
        assert words in await dita.page(path)
    async with browsing(stack, "ben") as ben:
        assert (await ben.get(path)).status_code == 404
        assert "Not done." in await ben.sent(f"/people/{BEN}/message")


async def test_a_group_is_made_of_those_who_are_ticked_while_more_are_looked_for(stack: House) -> None:
    name = f"Lunch {uuid4().hex}"
    async with browsing(stack, "ada") as ada:
        assert "Create the group" in await ada.page("/groups/new")
        status, _, page = await post_all(ada, "/groups", [BEN], name=name, find="chen", look="yes")
        assert status == 200
        assert f'value="{BEN}" checked' in page
        assert f'value="{CHEN}"' in page
        assert f'value="{CHEN}" checked' not in page
        assert f'value="{name}"' in page
        status, path, _ = await post_all(ada, "/groups", [BEN, CHEN], name=name)
        assert status == 303
        assert name in await ada.page(path)
        members = await ada.page(f"{path}/members")
        assert "3 people read what is written there" in members
        assert "Chen Wei" in members
    async with browsing(stack, "ben") as ben:
        assert name in await ben.page(path)
    async with browsing(stack, "dita") as dita:
        assert (await dita.get(path)).status_code == 404
        assert (await dita.get(f"{path}/members")).status_code == 404


async def test_a_group_that_could_not_be_made_keeps_who_was_ticked(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        status, _, page = await post_all(ada, "/groups", [CHEN], name="")
        assert status == 422
        assert "The name is empty" in page
        assert f'value="{CHEN}" checked' in page
        status, _, page = await post_all(ada, "/groups", [], name="Alone")
        assert status == 409
        assert "needs somebody else" in page
        assert 'value="Alone"' in page


async def test_a_direct_message_is_no_group_with_members(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        path = (await ada.post(f"/people/{CHEN}/message")).headers["location"]
        assert (await ada.get(f"{path}/members")).status_code == 404


async def test_only_admins_of_the_workspace_change_what_people_are_in_it(stack: House) -> None:
    someone = str(sample_id("member", "yara"))
    async with browsing(stack, "ben") as ben:
        assert "For admins" not in await ben.page(f"/people/{someone}")
        back = f"/people/{someone}"
        assert "Not permitted." in await ben.sent(f"/people/{someone}/role", role="admin", back=back)
        assert "Not permitted." in await ben.sent(
            f"/people/{someone}/status", status="deactivated", back=back
        )
    async with browsing(stack, "ada") as ada:
        page = await ada.sent(f"/people/{someone}/role", role="guest", back=back)
        assert "A guest" in page
        page = await ada.sent(f"/people/{someone}/status", status="deactivated", back=back)
        assert "Make active again" in page
        async with browsing(stack, "ben") as ben:
            assert (await ben.get(back)).status_code == 404
            assert "Yara Costa" not in await ben.page("/people?q=yara")
        await ada.sent(f"/people/{someone}/status", status="active", back=back)
        assert "A member" in await ada.sent(f"/people/{someone}/role", role="member", back=back)


async def test_a_guest_makes_no_groups(stack: House) -> None:
    async with browsing(stack, "eve") as eve:
        assert "/groups/new" not in await eve.page("/people")
        assert (await eve.get("/groups/new")).status_code == 403
        status, _, _ = await post_all(eve, "/groups", [BEN], name="Secret")
        assert status == 403
