"""The list of writes: one line each."""

from collections.abc import Mapping

from handraise.workspace.actions import (
    assign_task,
    create_doc,
    create_task,
    post_to_channel,
    send_dm,
    set_task_due_date,
    update_task_status,
)
from handraise.workspace.actions.order import Write

WRITES: Mapping[str, Write] = {
    write.name: write
    for write in (
        update_task_status.WRITE,
        create_task.WRITE,
        assign_task.WRITE,
        set_task_due_date.WRITE,
        post_to_channel.WRITE,
        send_dm.WRITE,
        create_doc.WRITE,
    )
}
