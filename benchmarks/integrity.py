"""How long `mlebench integrity` takes for 225 runs, and for each kind of hostile log.

The runs are of three agents and 75 seeds; each has 4 MB of output, a conversation of 60 exchanges
whose requests repeat what was said before, and a dozen programs. CPU time of the command and its
children. Budgets: 10 minutes on two processors for all runs; at most 5 seconds for a hostile log,
without the start of the command.

    python benchmarks/integrity.py [--runs 225]
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.integrity.cases.making import STARTER, prepare_some
from tests.integrity.cases.programs import program
from tests.integrity.test_hostile import HOSTILE
from tests.results.made_runs import make_group

from mlebench.records.folders import RunFolder
from mlebench.records.group import read_group

MINUTES, PROCESSORS, HOSTILE_SECONDS = 10, 2, 5.0
LOG_BYTES, EXCHANGES, PROGRAMS, AGENTS = 4 << 20, 60, 12, 3


def log_text(draw: random.Random) -> bytes:
    """What training prints: epochs, warnings, tables."""
    lines = []
    for epoch in range(4000):
        loss = draw.random()
        lines.append(f"epoch {epoch:4d} loss {loss:.6f} val_loss {loss + 0.1:.6f} lr 1.0e-03")
        if epoch % 50 == 0:
            lines.append("/opt/python/sklearn/base.py:493: UserWarning: X has feature names")
        if epoch % 9 == 0:
            lines.append(" | ".join(f"{draw.gauss(0, 1):+.5f}" for _ in range(12)))
    text = "\n".join(lines).encode() + b"\n"
    return (text * (1 + LOG_BYTES // len(text)))[:LOG_BYTES]


def conversation(draw: random.Random, competition: str) -> str:
    """Exchanges whose requests repeat the last twenty messages."""
    messages: list[dict[str, str]] = [{"role": "system", "content": "You solve competitions."}]
    lines = [json.dumps({"kind": "open", "schema": 1, "model": "m"})]
    for number in range(EXCHANGES):
        code = program(draw, competition, draw.choice(["tree", "react"]))
        said = {"role": "assistant", "content": f"Try {number}.\n```python\n{code}```"}
        entry = {
            "kind": "exchange",
            "id": number,
            "path": "/chat/completions",
            "outcome": "answered",
            "request": {"messages": messages},
            "response": {"choices": [{"message": said}]},
        }
        lines.append(json.dumps(entry))
        result = "\n".join(f"fold {k}: {draw.random():.5f}" for k in range(20))
        messages = [*messages[-20:], said, {"role": "user", "content": result}]
    return "\n".join(lines) + "\n"


def fill(run: RunFolder, competition: str, draw: random.Random, log: bytes) -> int:
    """Give a run real-looking logs and programs; returns their bytes."""
    agent_log, told = run.path / "host" / "agent.log", run.path / "host" / "trajectory.jsonl"
    agent_log.write_bytes(log)
    told.write_text(conversation(draw, competition))
    for number in range(PROGRAMS):
        code = program(draw, competition, draw.choice(["tree", "react"]))
        (run.code / f"step{number}.py").write_text(code)
    return agent_log.stat().st_size + told.stat().st_size


def check(runs: Path, data: Path, jobs: int) -> tuple[float, float]:
    """CPU and real seconds of the command."""
    words = [sys.executable, "-m", "mlebench", "integrity", str(runs), "-j", str(jobs)]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([*words, "--data-dir", str(data)], capture_output=True, text=True)
    wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 3, 4):
        raise SystemExit(done.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def measure_runs(folder: Path, count: int) -> bool:
    draw = random.Random(0)
    log, total = log_text(draw), 0
    for number in range(AGENTS):
        seeds = count // AGENTS // 3
        group = make_group(
            folder / "runs", f"agent{number}", STARTER[:3], seeds=seeds, number=number
        )
        for planned in read_group(group.metadata).runs:
            total += fill(group.run(planned.run_id), planned.competition_id, draw, log)
    used, wall = check(folder / "runs", folder / "data", PROCESSORS)
    is_ok = used / PROCESSORS <= 60 * MINUTES
    print(
        f"{count} runs, {total / 1e6:.0f} MB: {used:.0f} s of CPU time, {wall:.0f} s of real time"
    )
    return is_ok


def measure_hostile(folder: Path) -> bool:
    """Each kind of hostile log in a run of its own, less an empty run."""
    used = {}
    for name, make in {"empty": dict, **{make.__name__: make for make in HOSTILE}}.items():
        group = make_group(folder / name, "agent", STARTER[:1], outcomes=["valid"])
        (planned,) = read_group(group.metadata).runs
        run = group.run(planned.run_id)
        for file, content in make().items():
            place = run.path / file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        used[name], _ = check(group.path, folder / "data", 1)
        print(f"{name:<16} {used[name]:6.1f} s of CPU time", flush=True)
    return max(used.values()) - used["empty"] <= HOSTILE_SECONDS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=225)
    parser.add_argument("--only", choices=["runs", "hostile"])
    options = parser.parse_args()
    is_ok = True
    with TemporaryDirectory() as name:
        folder = Path(name)
        prepare_some(folder / "data", STARTER[:3])
        if options.only != "runs":
            is_ok &= measure_hostile(folder)
        if options.only != "hostile":
            is_ok &= measure_runs(folder, options.runs)
    print("within the budgets" if is_ok else "above a budget")
    return 0 if is_ok else 1


if __name__ == "__main__":
    sys.exit(main())
