"""`bash start.sh`: tell the model its task, then let it work until the time is over."""

from __future__ import annotations

import sys

from .. import workspace
from ..client import Message, find_model
from .context import Context
from .loop import Loop
from .tools import Tools

MAX_DESCRIPTION = 30_000
ROLE = """You are an excellent machine-learning engineer in a competition. You work alone, without
internet, with tools, until the time is over. Nobody reads what you say: only files count.

- Look at the data before you model it.
- Hold out training data so that it relates to the rest as the test data does, and measure every
  solution on it with the competition's metric. Choose by that score, never by impression.
- Leave a valid submission at {submission} early: only the file that exists at the end
  counts. Replace it only by one whose held-out score is better. Call validate after each change.
- Keep the code that made the submission in {code}.
- Every output tells how much time is left. Use all of it: while there is time, look for a better
  solution. Give long commands a time limit; nothing goes on in the background.
"""


def main() -> int:
    clock = workspace.read_clock()
    parameters = workspace.read_parameters()
    workspace.make_folders()
    if workspace.hand_in_sample():
        workspace.say("the sample submission is in place")
    model = find_model(parameters, clock.left)
    tools = Tools(clock, step_seconds=float(parameters.get("step_seconds") or 3600))
    context = Context(opening(clock), int(parameters.get("context_characters") or 200_000))
    loop = Loop(model, clock, tools, context, max_turns=int(parameters.get("max_turns") or 0))
    loop.run()
    workspace.say(f"{loop.turns} turns, {model.tokens} tokens")
    return 0 if workspace.SUBMISSION.is_file() else 1


def opening(clock: workspace.Clock) -> list[Message]:
    """The role and the task."""
    parts = []
    for file in (workspace.HOME / "instructions.txt", workspace.DATA / "description.md"):
        if file.is_file():
            parts.append(file.read_text("utf-8", "replace")[:MAX_DESCRIPTION])
    task = "\n\n".join(parts) + f"\n\nBegin now; {clock.tell()}."
    role = ROLE.format(submission=workspace.SUBMISSION, code=workspace.CODE)
    return [{"role": "system", "content": role}, {"role": "user", "content": task}]


if __name__ == "__main__":
    sys.exit(main())
