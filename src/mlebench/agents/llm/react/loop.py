"""The agent's turns: ask the model, call tools, tell the time, keep the last valid submission."""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from .. import workspace
from ..client import Message, Model, ModelError, NoMoreError, TooLongError, text_of
from .context import Context
from .tools import DESCRIPTIONS, Tools

GO_ON = (
    "You called no tool. There is time left: {clock}. Go on: check what you have, look for a better"
    " solution, compare it on held-out data, and replace the submission when it is better."
)
KEPT = workspace.WORK / ".last_valid_submission.csv"
CALL_KEYS = ("id", "type", "function")


@dataclass
class Loop:
    """One agent at work."""

    model: Model
    clock: workspace.Clock
    tools: Tools
    context: Context
    max_turns: int = 0
    """0: as many as the time allows."""

    turns: int = 0
    seen: tuple[int, int] | None = None
    """Time and size of the submission that was validated last."""

    def run(self) -> None:
        """Work until the time is over; at the end the last valid submission is in place."""
        try:
            while self.clock.left() > 1 and (not self.max_turns or self.turns < self.max_turns):
                try:
                    self.turn()
                except TooLongError as error:
                    if not self.context.shrink():
                        workspace.say(f"the model's context is too small: {error}")
                        return
                except NoMoreError as error:
                    workspace.say(f"the model no longer answers: {error}")
                    return
                except (ModelError, OSError) as error:
                    workspace.say(f"no answer this time: {error}")
                    # A failure that repeats at once must not become a busy loop.
                    time.sleep(max(0.0, min(5.0, self.clock.left())))
        finally:
            self.restore()

    def turn(self) -> None:
        """Get one answer of the model and call the tools that it asks for."""
        answer = self.model.chat(self.context.messages(), tools=DESCRIPTIONS)
        self.turns += 1
        calls = [call for call in answer.get("tool_calls") or [] if _is_call(call)]
        said: Message = {"role": "assistant", "content": text_of(answer)}
        turn = [said]
        if calls:
            said["tool_calls"] = [{key: call[key] for key in CALL_KEYS} for call in calls]
            turn += [self.carry_out(call) for call in calls]
            # Part of the last output, because a separate message here would confuse models.
            turn[-1]["content"] += f"\n{self.watch()}[{self.clock.tell()}]"
        else:
            turn.append({"role": "user", "content": GO_ON.format(clock=self.clock.tell())})
            self._pause_when_idle()
        self.context.add(turn)
        self.log(turn)

    def carry_out(self, call: Message) -> Message:
        name = str(call["function"].get("name"))
        try:
            arguments = json.loads(call["function"].get("arguments") or "{}")
            if not isinstance(arguments, dict):
                raise TypeError("expected a JSON object")
            text = self.tools.call(name, arguments)
        except (TypeError, ValueError) as error:
            text = f"Error: the arguments cannot be read: {error}"
        first = text.splitlines()[-1][:100] if text.strip() else ""
        workspace.say(f"[{self.clock.used():.0f} s] {name}: {first}")
        return {"role": "tool", "tool_call_id": call["id"], "content": text}

    def watch(self) -> str:
        """Validate a submission that has changed; keep a copy if it is valid."""
        if not workspace.SUBMISSION.is_file():
            return "[There is no submission yet.]\n"
        facts = workspace.SUBMISSION.stat()
        if self.seen == (facts.st_mtime_ns, facts.st_size):
            return ""
        is_valid, said = workspace.validate(workspace.SUBMISSION, self.clock.left())
        if is_valid is not None:
            self.seen = (facts.st_mtime_ns, facts.st_size)
        if is_valid:
            shutil.copyfile(workspace.SUBMISSION, KEPT)
        return f"[The submission has changed. {said}]\n"

    def restore(self) -> None:
        """Put the last valid submission back if the present one is invalid."""
        self.watch()
        is_valid, _ = workspace.validate(workspace.SUBMISSION, self.clock.left())
        if is_valid is False and KEPT.is_file():
            workspace.hand_in(KEPT)
            workspace.say("the last valid submission was put back")

    def log(self, turn: list[Message]) -> None:
        line: dict[str, Any] = {"turn": self.turns, "seconds": round(self.clock.used(), 1)}
        with (workspace.LOGS / "steps.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line | {"messages": turn}) + "\n")

    def _pause_when_idle(self) -> None:
        """Wait, longer each time, so that a model without tool calls does not spend the budget."""
        talk = takewhile(lambda turn: not turn[0].get("tool_calls"), reversed(self.context.turns))
        idle = sum(1 for _ in talk)
        time.sleep(max(0.0, min(2.0**idle - 1, 60.0, self.clock.left())))


def _is_call(call: Any) -> bool:
    return (
        isinstance(call, dict)
        and isinstance(call.get("function"), dict)
        and isinstance(call.get("id"), str)
        and call.setdefault("type", "function") == "function"
    )
