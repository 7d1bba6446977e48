"""The answers of the scripted model: a submission, a validation, the end, with any agent's tools.

It keeps no state: it reads from the conversation what was done, as a model does. The mark is
put together by the shell, so that a command which was only repeated does not look like its output.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

SUBMIT = (
    "cd $MLEBENCH_ROOT/home && cp data/sample_submission.csv submission/submission.csv"
    " && bash validate_submission.sh submission/submission.csv"
    " && printf 'submitted-%s ' 42"
)
"""MLEBENCH_ROOT is set in the sandbox `process` only."""

SUBMITTED = "submitted-42"
VALID = "Submission is valid"
FINISH = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
FIND_VALIDATE = "select:mcp__competition__validate"
DONE = "The submission is in place and valid."
SHELL = re.compile(
    r"(?:.*__)?(?:bash|shell|terminal|execute_bash|exec_command|run_shell_command|shell_command)$",
    re.I,
)
VALIDATE = re.compile(r"(?:.*[^a-z])?validate$", re.I)
SEARCH = re.compile(r"tool_?search$", re.I)
END = re.compile(r"(?:finish|attempt_completion)$", re.I)
SOLUTION = """import os
import shutil

os.chdir(os.environ.get("MLEBENCH_ROOT", "") + "/home")
shutil.copyfile("data/sample_submission.csv", "submission/submission.csv")
print("held-out score: none")
"""


@dataclass(frozen=True)
class OfferedTool:
    """A tool that the agent offers."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ScriptedReply:
    """A text, or the call of a tool."""

    text: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)


def reply_to(tools: Sequence[OfferedTool], said: str, called: Sequence[str]) -> ScriptedReply:
    """The next step.

    Args:
        said: the whole conversation as text.
        called: names of the tools that were called so far.
    """
    shell, validate, search, end = (
        next((tool for tool in tools if pattern.match(tool.name)), None)
        for pattern in (SHELL, VALIDATE, SEARCH, END)
    )
    if shell is None:
        return without_tools(said)
    if SUBMITTED not in said:
        return _call(shell, SUBMIT)
    if validate is not None and not any(VALIDATE.match(name) for name in called):
        return _call(validate, "")
    if validate is None and search is not None and search.name not in called:
        return _call(search, FIND_VALIDATE)
    if end is not None:
        return _call(end, DONE)
    return replace(_call(shell, FINISH), text=DONE) if FINISH in said else ScriptedReply(text=DONE)


def _call(tool: OfferedTool, text: str) -> ScriptedReply:
    return ScriptedReply(tool=tool.name, arguments=arguments_for(tool, text))


def without_tools(said: str) -> ScriptedReply:
    """Agents whose model writes code or edits as text, and side questions of the others."""
    if "*file listing*" in said:
        fence = "````" if "````" in said else "```"
        return ScriptedReply(text=f"solve.py\n{fence}\n{SOLUTION}{fence}\n")
    if "final_answer" in said and "<code>" in said:
        code = f"print(shell({SUBMIT!r}))"
        if SUBMITTED in said:
            code = f"final_answer({DONE!r})" if said.count(VALID) > 1 else "print(validate())"
        return ScriptedReply(text=f"Thought: the next step.\n<code>\n{code}\n</code>")
    return ScriptedReply(text="A competition")


def arguments_for(tool: OfferedTool, text: str) -> dict[str, Any]:
    """The arguments that a tool requires, with the text where a command or message belongs."""
    properties = tool.parameters.get("properties") or {}
    required = tool.parameters.get("required") or ()
    texts = [name for name in properties if name in ("command", "cmd", "query", "message")]
    made: dict[str, Any] = {}
    for name, schema in properties.items():
        kind = schema.get("type")
        if text and name in texts[:1]:
            made[name] = ["bash", "-lc", text] if kind == "array" else text
        elif name in required:
            made[name] = _filled(schema, text)
    return made


def _filled(schema: Mapping[str, Any], text: str) -> Any:
    if schema.get("enum"):
        return schema["enum"][0]
    samples = {"boolean": False, "integer": 60_000, "number": 60_000, "array": [], "object": {}}
    return samples.get(str(schema.get("type")), text or "the first submission")


def text_of(value: object) -> str:
    """A conversation as plain text, with quotes and newlines as the tools wrote them."""
    if isinstance(value, str):
        return value
    parts = value.values() if isinstance(value, Mapping) else value
    if isinstance(parts, Iterable):
        return "\n".join(map(text_of, parts))
    return json.dumps(value)
