"""The prompts for the model and the parsing of its answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..client import Message, function_tool, text_of
from .nodes import Node

SCORE_WORD = "HELDOUT_SCORE"
MAX_DESCRIPTION = 30_000
MAX_CODE = 30_000
ROLE = (
    "You are an excellent machine-learning engineer in a competition. You work alone, without"
    " internet; only your code and its printed output count."
)
EVALUATION_TOOL = function_tool(
    "plan_evaluation",
    "Fix how all solutions of this competition will be compared.",
    {
        "metric": ("string", "The competition's metric."),
        "lower_is_better": ("boolean", ""),
        "holdout": (
            "string",
            "How to hold out training data so that it relates to the rest as the test data does"
            " (by group, time or at random; share; seed), the same in every solution, and what"
            " must not leak into it.",
        ),
        "notes": ("string", "What matters in this data: traps, sizes, good approaches."),
    },
    ["metric", "lower_is_better", "holdout", "notes"],
)


@dataclass(frozen=True)
class Evaluation:
    """How solutions are compared, decided once."""

    metric: str
    lower_is_better: bool
    holdout: str = "a random fifth of the training rows, drawn with seed 0"
    notes: str = ""


@dataclass(frozen=True)
class Task:
    """What stays the same in all prompts."""

    description: str
    preview: str
    packages: str
    data: str

    def halved(self) -> Task:
        """For a model with a small context."""
        half = min(len(self.description), MAX_DESCRIPTION) // 2
        preview = self.preview[: len(self.preview) // 2]
        return replace(self, description=self.description[:half], preview=preview)

    def text(self) -> str:
        return (
            f"# Competition\n{self.description[:MAX_DESCRIPTION]}\n\n"
            f"# Data\n{self.preview}\n\n# Python\n{self.packages}"
        )


def ask_evaluation(task: Task) -> list[Message]:
    text = (
        f"{task.text()}\n\nBefore anything is written, decide how solutions will be compared."
        " Call plan_evaluation. The held-out score must be one that you would bet on: computed"
        " with the competition's own metric, on rows that nothing was fitted or chosen on."
    )
    return [{"role": "system", "content": ROLE}, {"role": "user", "content": text}]


def read_evaluation(message: Message, description: str) -> Evaluation:
    """From the tool call, else from JSON in the text, else guessed from the description."""
    facts = _call_arguments(message) or _json_in(text_of(message)) or {}
    direction = facts.get("lower_is_better")
    metric = str(facts.get("metric") or "the competition's metric")
    if not isinstance(direction, bool):
        direction = _sounds_like_a_loss(description if metric.startswith("the ") else metric)
    return Evaluation(
        metric=metric,
        lower_is_better=direction,
        holdout=str(facts.get("holdout") or Evaluation.holdout),
        notes=str(facts.get("notes") or ""),
    )


def ask_solution(
    task: Task, evaluation: Evaluation, *, work: str, summary: str, limit_seconds: float
) -> list[Message]:
    """The prompt for one solution; `work` says what to do with an earlier one."""
    direction = "lower" if evaluation.lower_is_better else "higher"
    text = f"""{task.text()}

# Comparison of solutions
Metric: {evaluation.metric} ({direction} is better). Held out: {evaluation.holdout}
{evaluation.notes}

# Tried so far
{summary}

# Rules
- Answer with a plan of three to five sentences and then one Python program in a ``` block.
- The program is complete and runs as it is. It reads {task.data} (read-only) and writes
  `submission.csv` into the current folder, for all test rows, in the format described above.
- It computes the held-out score as fixed above and prints it as `{SCORE_WORD}: <number>`. Nothing
  is fitted or chosen on held-out rows before that; afterwards train on all rows for the test set.
- It must end within {limit_seconds:.0f} seconds; print progress now and then.

# Your work now
{work}"""
    return [{"role": "system", "content": ROLE}, {"role": "user", "content": text}]


def work_on_draft(is_first: bool) -> str:
    if is_first:
        return "Write a first solution: simple, robust, fast, correct from end to end."
    return (
        "Write a new solution that differs in kind from those tried so far (other model family,"
        " other features), aiming at a better held-out score."
    )


def work_on_failure(node: Node) -> str:
    return (
        "This solution failed. Find the cause, keep its idea, and write the repaired program.\n\n"
        f"```python\n{node.code[:MAX_CODE]}\n```\n\nProblem: {node.problem}\n\n"
        f"It printed:\n```\n{node.output}\n```"
    )


def work_on_improvement(node: Node) -> str:
    return (
        f"This is the best solution so far, with a held-out score of {node.score:g}. Make one"
        " well-founded change that should improve it, and write the whole new program.\n\n"
        f"```python\n{node.code[:MAX_CODE]}\n```\n\nIt took {_roughly(node.seconds)} and printed:\n"
        f"```\n{node.output}\n```"
    )


def read_solution(message: Message) -> tuple[str, str]:
    """Plan and program of an answer; the program is empty if there is none."""
    text = text_of(message)
    blocks = re.findall(r"```(?:python|py)?[ \t]*\n(.*?)(?:```|\Z)", text, re.DOTALL | re.I)
    if not blocks:
        return text.strip()[:1000], ""
    code = max(blocks, key=len).strip()
    return text.split("```", 1)[0].strip()[:1000], f"{code}\n"


def read_score(output: str) -> float | None:
    """The last score that a solution printed, if it is a finite number."""
    found = re.findall(rf"{SCORE_WORD}[\s:=*`]+([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)", output)
    return float(found[-1]) if found and abs(float(found[-1])) < float("inf") else None


def has_fixed_score(code: str) -> bool:
    """Whether a program prints a number that it did not compute."""
    return re.search(rf"{SCORE_WORD}[\s:=]+[-+]?\.?\d", code) is not None


def _roughly(seconds: float) -> str:
    """Rounded to one digit, so that a recording can answer the same request again."""
    if seconds < 10:
        return "less than 10 s"
    unit = 10 ** (len(str(int(seconds))) - 1)
    return f"about {round(seconds / unit) * unit} s"


def _call_arguments(message: Message) -> dict[str, Any] | None:
    for call in message.get("tool_calls") or []:
        try:
            facts = json.loads(call["function"]["arguments"])
        except (KeyError, TypeError, ValueError):
            continue
        if isinstance(facts, dict):
            return facts
    return None


def _json_in(text: str) -> Mapping[str, Any] | None:
    found = re.search(r"\{.*\}", text, re.DOTALL)
    try:
        facts = json.loads(found.group()) if found else None
    except ValueError:
        return None
    return facts if isinstance(facts, dict) else None


def _sounds_like_a_loss(text: str) -> bool:
    words = r"error|loss|rmsl?e|\bmae\b|\bmse\b|deviation|distance|perplexity|lower is better"
    return re.search(words, text, re.IGNORECASE) is not None
