"""Wires the runner: the only place that makes its connections and adapters."""

from functools import partial

from handraise.common.aftermath import BusAftermath
from handraise.common.bus import subjects, topology
from handraise.common.bus.consume import make_broker, stop, subscribe
from handraise.common.bus.messages import Execute, Run, Wake
from handraise.common.bus.publish import Bus
from handraise.common.clock import utc_now
from handraise.common.judge import NatsJudge
from handraise.common.service import Running
from handraise.runner.briefing import Briefings
from handraise.runner.chat import chat_from_settings
from handraise.runner.context import SurfaceContext
from handraise.runner.control import Control
from handraise.runner.execute import Executor
from handraise.runner.handlers import Handlers
from handraise.runner.loop import Loop
from handraise.runner.settings import RunnerSettings
from handraise.runner.toolbox import WorkspaceTools
from handraise.workspace.database import Database
from handraise.workspace.jobs import JobStore


async def start(settings: RunnerSettings, running: Running) -> None:
    """Connect, subscribe, and take work."""
    db = await Database.open(
        settings.database_url, size=settings.handraise_db_connections, name="handraise-runner"
    )
    running.on_stop(db.close)
    bus = await Bus.connect(settings.nats_url, "handraise-runner")
    running.on_stop(bus.close)
    chat = chat_from_settings(settings.model_base_url, settings.model_name, settings.model_api_key)
    running.on_stop(chat.close)
    store = JobStore(db)
    judge = NatsJudge(bus.connection)
    control = Control()
    await control.listen(bus)
    loop = Loop(
        store=store,
        chat=chat,
        tools=WorkspaceTools(db, judge),
        briefings=Briefings(store),
        context=SurfaceContext(db),
        control=control,
        settings=settings,
        clock=utc_now,
    )
    executor = Executor(db=db, store=store, judge=judge, aftermath=BusAftermath(bus), clock=utc_now)
    handlers = Handlers(bus=bus, store=store, loop=loop, executor=executor, clock=utc_now)
    broker = make_broker(settings.nats_url, "handraise-runner-consumers")
    workers = settings.handraise_workers
    subscribe(
        broker,
        bus,
        stream="CMD",
        consumer="run",
        subject="cmd.run.*.*",
        kind=Run,
        handler=handlers.run,
        workers=workers,
    )
    subscribe(
        broker,
        bus,
        stream="CMD",
        consumer="execute",
        subject="cmd.execute.*.*",
        kind=Execute,
        handler=handlers.execute,
        workers=workers,
    )
    for shard in range(subjects.SHARDS):
        subscribe(
            broker,
            bus,
            stream="PARK",
            consumer=topology.parked(shard),
            subject=f"wake.{shard:02d}.*",
            kind=Wake,
            handler=handlers.wake,
        )
    await broker.start()
    running.on_stop(partial(stop, broker))
    running.probes.update(postgres=db.ping, nats=bus.ping)
