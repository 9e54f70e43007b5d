"""The list of writes: one line each."""

from collections.abc import Mapping

from handraise.workspace.actions import (
    add_member,
    append_to_doc,
    assign_task,
    cancel_reminder,
    change_person,
    create_channel,
    create_doc,
    create_group,
    create_project,
    create_task,
    create_team,
    edit_task,
    message_group,
    open_dm,
    post_to_channel,
    remove_member,
    send_dm,
    set_reminder,
    set_role,
    set_task_due_date,
    update_task_status,
    write_doc,
)
from handraise.workspace.actions.order import Write

WRITES: Mapping[str, Write] = {
    write.name: write
    for write in (
        update_task_status.WRITE,
        create_task.WRITE,
        assign_task.WRITE,
        set_task_due_date.WRITE,
        create_project.WRITE,
        create_doc.WRITE,
        append_to_doc.WRITE,
        post_to_channel.WRITE,
        send_dm.WRITE,
        message_group.WRITE,
        set_reminder.WRITE,
        # By hand only.
        edit_task.WRITE,
        write_doc.WRITE,
        cancel_reminder.WRITE,
        open_dm.WRITE,
        create_group.WRITE,
        create_channel.WRITE,
        create_team.WRITE,
        add_member.WRITE,
        remove_member.WRITE,
        set_role.WRITE,
        change_person.WRITE,
    )
}
