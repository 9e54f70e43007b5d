"""Think, ask with options, park, answer, done, over HTTP: `python -m bench.park_resume [--items 600]`.

The practice model answers at once, so what is measured is ours. Beside it, in the same run, the floor: one
JetStream publish with its ack, one Postgres commit, both synced to disk.
"""

import argparse
import asyncio
import os
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import nats
import psutil
import uvloop

from bench.house import House, house
from bench.wire import Wire
from handraise.dev.sample.people import PEOPLE

AT_ONCE = (1, 8, 32)


class Watch:
    """One event stream that tells who parked and who ended."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], asyncio.Future[dict[str, Any]]] = {}

    def of(self, kind: str, job_id: str) -> "asyncio.Future[dict[str, Any]]":
        """Return what is done once `kind` has happened to the job, also when it has already."""
        return self._waiting.setdefault((kind, job_id), asyncio.get_running_loop().create_future())

    async def follow(self, wire: Wire, ready: asyncio.Event) -> None:
        """Read the stream for as long as it lasts."""
        async for kind, data in wire.events("/api/events"):
            if kind == "hello":
                ready.set()
            if kind in ("parked", "finished"):
                known = self.of(kind, data["job_id"])
                if not known.done():
                    known.set_result(data)


async def _sign_in(port: int) -> tuple[dict[str, str], str]:
    wire = await Wire("127.0.0.1", port, {}).open()
    who = PEOPLE[0]
    await wire._send("POST", "/api/session", {"email": who.email, "password": who.password})
    _, headers = await wire._head()
    me = await wire._body(headers)
    cookie = headers["set-cookie"].split(";")[0]
    wire.close()
    return {"cookie": cookie, "x-csrf-token": me["csrf"]}, me["name"]


async def _spread(items: list[Any], at_once: int, work: Callable[[Any, int], Awaitable[None]]) -> list[float]:
    """Do `work` on all items, `at_once` at a time; return the seconds each took."""
    took: list[float] = []
    queue = list(enumerate(items))[::-1]

    async def worker(number: int) -> None:
        while queue:
            _, item = queue.pop()
            began = time.perf_counter()
            await work(item, number)
            took.append(time.perf_counter() - began)

    await asyncio.gather(*(worker(number) for number in range(at_once)))
    return took


def _line(name: str, at_once: int, took: list[float], total: float) -> None:
    cuts = statistics.quantiles(took, n=100)
    print(
        f"{name:<28}{at_once:>4} at once {len(took) / total:>9,.0f} /s   p50 {cuts[49] * 1e3:>8.2f} ms   "
        f"p99 {cuts[98] * 1e3:>8.2f} ms",
        flush=True,
    )


async def _floor(at: House, count: int) -> None:
    connection = await nats.connect(at.nats_url)
    jetstream = connection.jetstream()
    await jetstream.add_stream(name="FLOOR", subjects=["floor.*"])
    database = await asyncpg.create_pool(at.owner_dsn, min_size=8, max_size=8)
    await database.execute("CREATE TABLE floor (id int, body text)")
    for at_once in AT_ONCE:

        async def publish(item: int, _: int) -> None:
            await jetstream.publish(f"floor.{item}", b"x" * 200)

        async def commit(item: int, _: int) -> None:
            await database.execute("INSERT INTO floor VALUES ($1, $2)", item, "x" * 200)

        for name, work in (("floor: JetStream publish", publish), ("floor: Postgres commit", commit)):
            began = time.perf_counter()
            took = await _spread(list(range(count)), at_once, work)
            _line(name, at_once, took, time.perf_counter() - began)
    await jetstream.delete_stream("FLOOR")
    await database.close()
    await connection.close()


async def _round(at: House, at_once: int, count: int, watch: Watch, wires: list[Wire], channel: str) -> None:
    parked: list[dict[str, Any]] = []

    async def park(number: int, worker: int) -> None:
        body = {"body": f"@ray ask me: Which colour is number {number}? red, green or blue"}
        status, posted = await wires[worker].call("POST", f"/api/channels/{channel}/messages", body)
        assert status == 202, posted
        parked.append(await watch.of("parked", posted["job_id"]))

    async def answer(job: dict[str, Any], worker: int) -> None:
        path = f"/api/requests/{job['request_ids'][0]}/answer"
        status, told = await wires[worker].call("POST", path, {"option": "green"})
        assert status == 200, told
        end = await watch.of("finished", job["job_id"])
        assert end["text"] == "You chose green.", end

    for name, items, work in (("park", list(range(count)), park), ("answer to done", parked, answer)):
        before = _cpu(at)
        began = time.perf_counter()
        took = await _spread(items, at_once, work)
        total = time.perf_counter() - began
        _line(name, at_once, took, total)
        after = _cpu(at)
        used = {n: (after[n] - before[n]) / len(took) * 1e3 for n in after}
        print("    cpu ms each: " + ", ".join(f"{n} {ms:.2f}" for n, ms in used.items()), flush=True)


def _cpu(at: House) -> dict[str, float]:
    def of(pid: int) -> float:
        process = psutil.Process(pid)
        times = process.cpu_times()
        return float(times.user + times.system)

    def tree(pid: int) -> float:
        return of(pid) + sum(of(child.pid) for child in psutil.Process(pid).children())

    used = {name: tree(pid) if name == "postgres" else of(pid) for name, pid in at.pids.items()}
    return {**used, "client": of(os.getpid())}


async def main(count: int) -> None:
    """Run it all once and print it."""
    async with house() as at:
        await _floor(at, count)
        headers, _ = await _sign_in(at.port)
        watch, ready = Watch(), asyncio.Event()
        stream = await Wire("127.0.0.1", at.port, headers).open()
        following = asyncio.create_task(watch.follow(stream, ready))
        await ready.wait()
        wires = [await Wire("127.0.0.1", at.port, headers).open() for _ in range(max(AT_ONCE))]
        _, channels = await wires[0].call("GET", "/api/channels")
        channel = next(c["id"] for c in channels if c["name"] == "general")
        await _round(at, 8, 50, watch, wires, channel)  # warm
        print("-- warm --")
        for at_once in AT_ONCE:
            await _round(at, at_once, count, watch, wires, channel)
        following.cancel()
        for wire in (*wires, stream):
            wire.close()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--items", type=int, default=600)
    uvloop.run(main(options.parse_args().items))
