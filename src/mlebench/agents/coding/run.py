"""Start a published coding agent inside the sandbox, as the `[program]` of its `agent.toml` says.

    python3 /opt/agent/run.py NAME

It uses the standard library only: it writes the program's configuration, starts the program with a
prompt, and stops it shortly before the time limit. The exit code says whether there is a
submission, which the exit code of the program does not.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent
ROOT = os.environ.get("MLEBENCH_ROOT") or "/"
HOME = Path(ROOT) / "home"
SUBMISSION = HOME / "submission" / "submission.csv"
GRACE_SECONDS = 1.0


def main(name: str) -> int:
    started = time.monotonic()
    granted = float(os.environ.get("MLEBENCH_SECONDS") or 3600)
    reserve = max(3.0, min(60.0, 0.03 * granted))
    facts = tomllib.loads((PACKAGE / name / "agent.toml").read_text("utf-8"))["program"]
    values = placeholders(name, facts, granted - reserve)
    write_files(facts.get("files", ()), values)
    environment = os.environ | {
        key: fill(str(value), values) for key, value in facts.get("environment", {}).items()
    }
    if (own := Path(values["program"]) / "python" / "lib").is_dir():
        paths = [str(own), environment.get("LD_LIBRARY_PATH", "")]
        environment["LD_LIBRARY_PATH"] = ":".join(filter(None, paths))
    command = make_command(facts["command"], values)
    code = run(command, environment, granted - reserve - (time.monotonic() - started))
    return 0 if SUBMISSION.is_file() else code or 1


def placeholders(name: str, facts: dict[str, Any], seconds: float) -> dict[str, str]:
    """What may be written in braces in commands, variables and files."""
    parameters = json.loads(os.environ.get("MLEBENCH_PARAMETERS") or "{}")
    url = os.environ["OPENAI_BASE_URL"]
    return {
        "program": str(find_program(name)),
        "agent": str(PACKAGE / name),
        "home": str(HOME),
        "model": str(parameters.get("model") or os.environ["MLEBENCH_MODEL"]),
        "url": url,
        "host": url.removesuffix("/v1"),
        "key": os.environ["OPENAI_API_KEY"],
        "seconds": f"{seconds:.0f}",
        "prompt": make_prompt(facts, seconds),
    }


def find_program(name: str) -> Path:
    """The folder of the installed program."""
    mounted = os.environ.get("MLEBENCH_PROGRAM")
    place = Path(mounted) if mounted else Path("/opt/programs") / name  # the latter in an image
    if (place / "installed.json").is_file():
        return place
    sys.exit(f"{name} is not in this sandbox: run `mlebench agents install {name}` outside of it")


def make_prompt(facts: dict[str, Any], seconds: float) -> str:
    """The task with our advice; repeated starts also get a note about the earlier one."""
    parts = [(HOME / "instructions.txt").read_text("utf-8", "replace")]
    advice = (PACKAGE / "advice.md").read_text("utf-8")
    parts.append(advice.replace("{minutes}", f"{seconds / 60:.0f}"))
    if facts.get("speaks_mcp"):
        parts.append((PACKAGE / "tools.md").read_text("utf-8"))
    parts.append(facts.get("note", ""))
    if int(os.environ.get("MLEBENCH_START") or 1) > 1:
        parts.append((PACKAGE / "again.md").read_text("utf-8"))
    text = "\n".join(part.strip("\n") for part in parts if part)
    return text if ROOT == "/" else text.replace("/home/", f"{HOME}/")


def fill(text: str, values: dict[str, str], *, is_quoted: bool = False) -> str:
    """Replace the names in braces; other braces stay as they are.

    Args:
        is_quoted: the text is JSON or TOML, and the names are inside its strings.
    """
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", json.dumps(value)[1:-1] if is_quoted else value)
    return text


def write_files(files: list[dict[str, str]], values: dict[str, str]) -> None:
    """Write the program's configuration below its home."""
    for file in files:
        path = HOME / "agent" / file["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        is_quoted = path.suffix in (".json", ".toml")
        path.write_text(fill(file["text"], values, is_quoted=is_quoted), "utf-8")


def make_command(words: list[str], values: dict[str, str]) -> list[str]:
    """The command line; `{python}` and `{node}` are programs that came with the installation."""
    program = Path(values["program"])
    found: list[str] = []
    for word in words:
        if word == "{python}":
            # Without variables, since those for solutions name other versions of its libraries, and
            # without writing compiled files, which would change the installation.
            found += [find_python(program), "-EsB", str(PACKAGE / "start_module.py")]
            found.append(str(program / "site"))
        elif word == "{node}":
            found.append(str(program / "node" / "bin" / "node"))
        elif word.startswith("{program}") and "*" in word:
            pattern = word.removeprefix("{program}/")
            matches = sorted(map(str, program.glob(pattern)))
            if not matches:
                sys.exit(f"{word} does not exist: it was installed for another kind of machine")
            found.append(matches[0])
        else:
            found.append(fill(word, values))
    return found


def find_python(program: Path) -> str:
    """The interpreter for the program: its own, or this one if the versions agree."""
    own = program / "python" / "bin" / "python3"
    if own.exists():
        return str(own)
    wanted = json.loads((program / "installed.json").read_text("utf-8")).get("python")
    here = ".".join(map(str, sys.version_info[:2]))
    if wanted and wanted != here:
        sys.exit(f"the program was installed for Python {wanted}, but the sandbox has {here}")
    return sys.executable


def run(command: list[str], environment: dict[str, str], seconds: float) -> int:
    """Run the program without input until it ends or the time is over."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            env=environment,
            cwd=HOME / "agent",
            start_new_session=True,
        )
    except OSError as error:
        print(f"{command[0]} cannot be started: {error.strerror}", flush=True)
        return 127
    try:
        code = process.wait(max(1.0, seconds))
        return code if code >= 0 else 128 - code
    except subprocess.TimeoutExpired:
        print("the time is over", flush=True)
    for number in (signal.SIGTERM, signal.SIGKILL):
        os.killpg(process.pid, number)
        try:
            process.wait(GRACE_SECONDS)
            break
        except subprocess.TimeoutExpired:
            continue
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
