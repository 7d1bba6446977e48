"""A scripted model: answers our agents and AIDE as a helpful model would, with working programs.

A first solution is constant, a second kind fails, its repair and every improvement look at the
nearest rows.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.gateway.provider import Handler, completion, response

SOLUTION = (Path(__file__).parent / "solution.py").read_text("utf-8")
FAILING = 'raise RuntimeError("this idea does not work yet")\n'
RUN = "python3 /home/code/solve.py && cp submission.csv /home/submission/submission.csv"


def answer(handler: Handler, body: dict[str, Any]) -> None:
    """Behaviour of a `Provider`: the agent is recognised by the tools and words it uses."""
    if handler.path.endswith("/responses"):
        whole = respond(body)
    else:
        tools = [tool["function"]["name"] for tool in body.get("tools", ())]
        message = reply(body["messages"], tools)
        whole = completion(message.pop("content", ""), body["model"], **message)
    handler.send_whole(200, json.dumps(whole).encode())


def respond(body: dict[str, Any]) -> dict[str, Any]:
    """The same over the responses API."""
    message = reply(body["input"], [tool["name"] for tool in body.get("tools", ())])
    whole = response(message["content"], body["model"])
    for made in message.get("tool_calls", ()):
        item = {"type": "function_call", "id": "f1", "call_id": "c1", "status": "completed"}
        whole["output"] = [item | made["function"]]
    return whole


def reply(messages: list[dict[str, Any]], tools: list[str]) -> dict[str, Any]:
    text = str(messages[-1]["content"])
    if "plan_evaluation" in tools:
        return call("plan_evaluation", **evaluation(text))
    if "submit_review" in tools:
        return review(text)
    if "shell" in tools:
        return step(sum(message["role"] == "assistant" for message in messages))
    if "Kaggle grandmaster" in text:
        way = "nearest" if "Previous solution" in text else "constant"
        return plan(solution(way, data="input", out="working/submission.csv"))
    if "This solution failed" in text or "best solution so far" in text:
        return plan(solution("nearest"))
    return plan(solution("constant") if "Write a first solution" in text else FAILING)


def evaluation(text: str) -> dict[str, Any]:
    metric = "logarithmic loss" if "cultivar" in text or "Acer_" in text else "accuracy"
    return {
        "metric": metric,
        "lower_is_better": metric != "accuracy",
        "holdout": "every fifth training row",
        "notes": "few rows",
    }


def review(text: str) -> dict[str, Any]:
    """AIDE's judgement of what a program printed."""
    output = text.rsplit("Execution output", 1)[-1]
    found = re.findall(r"HELDOUT_SCORE: ([\d.]+)", output)
    return call(
        "submit_review",
        is_bug=not found,
        summary="It ran." if found else "It failed.",
        metric=float(found[-1]) if found else None,
        lower_is_better="cultivar" in text or "Acer_" in text,
    )


def step(turn: int) -> dict[str, Any]:
    """What a patient engineer with tools does."""
    steps = [
        call("shell", command="ls -la /home/data && head -n 3 /home/data/train.csv"),
        call("write_file", path="/home/code/solve.py", content=solution("constant")),
        call("shell", command=RUN, timeout_seconds=60),
        call("validate"),
        call("edit_file", path="/home/code/solve.py", old='"constant"\n', new='"nearest"\n'),
        call("shell", command=RUN),
        call("python", code="print(open('/home/submission/submission.csv').readline())"),
        call("no_such_tool"),
        {"content": "I am done."},
        call("shell", command="rm /home/submission/submission.csv; echo oops"),
    ]
    return steps[min(turn, len(steps) - 1)]


def solution(way: str, data: str = "/home/data", out: str = "submission.csv") -> str:
    text = SOLUTION.replace('WAY = "constant"', f'WAY = "{way}"')
    return text.replace('"/home/data"', f'"{data}"').replace('"submission.csv"', f'"{out}"')


def plan(code: str) -> dict[str, Any]:
    return {"content": f"Look at the rows that are near. This is simple.\n\n```python\n{code}```\n"}


def call(name: str, **arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"content": "", "tool_calls": [{"id": "c1", "type": "function", "function": function}]}
