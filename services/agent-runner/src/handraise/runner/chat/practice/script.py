"""Lets a story be written as straight lines and played over several rounds.

A story is run from its start in every round. A call that already has its result returns it; the first one
that has none ends the run, and its text is the reply. So nothing is remembered between two rounds.
"""

from typing import Any

from handraise.runner.chat.practice.reading import Seen, Situation
from handraise.runner.protocol import NEEDS_HUMAN, Call, render_call

NOTHING = "Nothing was changed."


class Said(Exception):
    """The story has come to the text of this round's reply."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Script:
    """What a story may do: read, ask, propose, end."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self._at = 0

    def has(self, tool: str) -> bool:
        """Tell whether the agent may use a tool."""
        return tool in self.situation.tools

    def read(self, tool: str, **args: Any) -> dict[str, Any]:
        """Return the data of a read; ends the job when it did not run."""
        seen = self._result(tool, args, "")
        if seen.status not in ("ran", "cached"):
            raise Said(f"I could not look that up. {seen.said} {NOTHING}")
        return seen.data if isinstance(seen.data, dict) else {}

    def ask(self, question: str, options: tuple[str, ...] = (), *, person: str = "") -> Seen:
        """Return what somebody said to a question, `person` by handle or whoever the job runs as.

        Ends the job when it could not be asked.
        """
        args: dict[str, Any] = {"reason": question}
        if len(options) > 1:
            args["options"] = list(options)
        if person:
            args["person"] = person
        seen = self._result(NEEDS_HUMAN, args, "")
        if seen.status not in ("answered", "declined", "expired"):
            raise Said(f"I could not ask “{question}”. {seen.said}")
        return seen

    def propose(self, tool: str, prose: str, **args: Any) -> dict[str, Any] | str:
        """Return the receipt of a write; ends the job when there is none."""
        seen = self._result(tool, {name: value for name, value in args.items() if value is not None}, prose)
        match seen.status:
            case "confirmed":
                return seen.data if isinstance(seen.data, dict) else str(seen.data or "")
            case "rejected":
                because = f" You said: “{seen.words}”" if seen.words else ""
                raise Said(f"You said no, so nothing was changed.{because}")
            case "refused":
                reason = seen.said.removeprefix("Refused: ").partition(" Nothing was changed.")[0]
                raise Said(f"That was refused: {reason} {NOTHING}")
            case "expired":
                raise Said(f"Nobody confirmed it in time. {NOTHING}")
            case "proposed":
                raise Said("It is proposed and waits for a click; nothing has happened yet.")
            case _:
                raise Said(f"That did not work. {seen.said} {NOTHING}")

    def _result(self, tool: str, args: dict[str, Any], prose: str) -> Seen:
        if not self.has(tool):
            raise Said(f"For that I need the tool {tool}, which I do not have here. {NOTHING}")
        for place in range(self._at, len(self.situation.results)):
            if self.situation.results[place].tool == tool:
                self._at = place + 1
                return self.situation.results[place]
        call = render_call(Call(tool, args))
        raise Said(f"{prose}\n{call}" if prose else call)


def reported(receipt: dict[str, Any] | str, otherwise: str) -> str:
    """Return the report of a write: what its receipt says, or `otherwise` where it says nothing in words."""
    said = receipt if isinstance(receipt, str) else receipt.get("title")
    if isinstance(said, str) and (said := " ".join(said.split()).rstrip(".")):
        return f"Done: {said[0].lower()}{said[1:]}."
    return f"Done: {otherwise}."
