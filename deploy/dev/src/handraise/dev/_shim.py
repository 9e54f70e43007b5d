"""Becomes the wanted program after binding it to its parent's life; run as a file, imports nothing of ours.

A function run between fork and exec is unsafe in a program with threads, so a fresh interpreter does it.
Arguments: parent's pid, signal at the parent's death, uid and gid to take (-1: stay), program, its arguments.
"""

import os
import sys


def main() -> None:
    """Drop to the wanted user, ask the kernel for the signal (Linux), and exec. Order matters: a change of
    user forgets the signal."""
    parent, death_signal, uid, gid = (int(argument) for argument in sys.argv[1:5])
    program = sys.argv[5:]
    ask_kernel = None
    if sys.platform == "linux":
        import ctypes

        ask_kernel = ctypes.CDLL(None).prctl
    if uid >= 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    if ask_kernel is not None:
        set_parent_death_signal = 1
        ask_kernel(set_parent_death_signal, death_signal)
        if os.getppid() != parent:
            sys.exit("the parent is gone already")
    os.execv(program[0], program)


main()
