"""`bash start.sh`: look at the data, fix the comparison, search until the time is over."""

from __future__ import annotations

import sys
from dataclasses import fields
from importlib.metadata import distributions

from .. import workspace
from ..client import Model, ModelError, NoMoreError, find_model
from . import prompts
from .nodes import Policy, Tree
from .preview import preview
from .search import Search, make_rng


def main() -> int:
    clock = workspace.read_clock()
    parameters = workspace.read_parameters()
    workspace.make_folders()
    has_sample = workspace.hand_in_sample()
    workspace.say("the sample submission is in place" if has_sample else "no sample submission")
    model = find_model(parameters, clock.left)
    task = look()
    try:
        evaluation = decide(model, task)
    except NoMoreError as error:
        workspace.say(f"the model no longer answers: {error}")
        return 1
    workspace.say(f"metric: {evaluation.metric}; lower is better: {evaluation.lower_is_better}")
    known = {field.name for field in fields(Policy)}
    policy = Policy(**{name: value for name, value in parameters.items() if name in known})
    tree = Tree(policy, evaluation.lower_is_better, make_rng())
    share = float(parameters.get("share_for_one") or Search.share_for_one)
    search = Search(model, clock, task, evaluation, tree, share_for_one=share)
    search.run()
    best = tree.best
    workspace.say(f"{len(tree.nodes)} solutions; best: {best.score if best else 'none'}")
    return 0 if workspace.SUBMISSION.is_file() else 1


def look() -> prompts.Task:
    """The task with a summary of its data."""
    file = workspace.DATA / "description.md"
    description = file.read_text("utf-8", "replace") if file.is_file() else "(no description)"
    names = sorted({str(found.metadata["Name"]).lower() for found in distributions()})
    installed = ", ".join(names) or "nothing"
    packages = f"Python {sys.version.split()[0]}; installed: {installed}. Nothing can be added."
    return prompts.Task(description, preview(workspace.DATA), packages, str(workspace.DATA))


def decide(model: Model, task: prompts.Task) -> prompts.Evaluation:
    """How solutions are compared; a model that cannot use tools is asked in plain text."""
    messages = prompts.ask_evaluation(task)
    try:
        answer = model.chat(messages, tools=[prompts.EVALUATION_TOOL])
    except NoMoreError:
        raise
    except ModelError as error:
        workspace.say(f"no plan with a tool: {error}")
        answer = {}
    return prompts.read_evaluation(answer, task.description)


if __name__ == "__main__":
    sys.exit(main())
