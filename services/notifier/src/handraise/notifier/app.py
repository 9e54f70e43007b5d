"""Wires the notifier: the only place that makes its connections."""

from functools import partial

from handraise.common.bus.consume import make_broker, stop, subscribe
from handraise.common.bus.messages import Happened
from handraise.common.bus.publish import Bus
from handraise.common.clock import utc_now
from handraise.common.service import Running
from handraise.common.timers import Due
from handraise.notifier.handlers import Handlers
from handraise.notifier.reminders import Reminders
from handraise.notifier.settings import NotifierSettings
from handraise.workspace.database import Database
from handraise.workspace.jobs import JobStore


async def start(settings: NotifierSettings, running: Running) -> None:
    """Connect, subscribe, and post."""
    db = await Database.open(
        settings.database_url, size=settings.handraise_db_connections, name="handraise-notifier"
    )
    running.on_stop(db.close)
    bus = await Bus.connect(settings.nats_url, "handraise-notifier")
    running.on_stop(bus.close)
    handlers = Handlers(bus=bus, store=JobStore(db))
    broker = make_broker(settings.nats_url, "handraise-notifier-consumers")
    subscribe(
        broker,
        bus,
        stream="EVT",
        consumer="notifier",
        subject="evt.*.*.*",
        kind=Happened,
        handler=handlers.happened,
        workers=settings.handraise_workers,
    )
    subscribe(
        broker,
        bus,
        stream="TIMERS",
        consumer="reminders",
        subject="due.reminder.*",
        kind=Due,
        handler=Reminders(bus=bus, db=db, clock=utc_now).due,
    )
    await broker.start()
    running.on_stop(partial(stop, broker))
    running.probes.update(postgres=db.ping, nats=bus.ping)
