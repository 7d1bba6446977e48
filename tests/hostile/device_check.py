"""A check for a machine with control groups of version 2 and a GPU; no test of `make test`.

    PYTHONPATH=src python tests/hostile/device_check.py [--packages FOLDER_WITH_TORCH]

Runs agents in bubblewrap as root and prints one line for each claim: limits are enforced by the
kernel, two runs wait for one GPU, a matrix product inside takes as long as outside, GPU use is
recorded. Exits with 1 if a claim does not hold. Needs psutil, msgspec, and torch for the product.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mlebench.sandbox.base import Job, JobFolders, Outcome, ResourceLimits
from mlebench.sandbox.bubblewrap import BubblewrapSandbox
from mlebench.sandbox.gpus import leased_gpus
from mlebench.sandbox.mounts import WRITABLE

MB = 1 << 20
PRODUCT = """
import time, torch
a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
b = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
end = time.perf_counter() + {warm}
while time.perf_counter() < end:
    a @ b
    torch.cuda.synchronize()
best = 0.0
for _ in range(5):
    torch.cuda.synchronize(); start = time.perf_counter()
    for _ in range(50): a @ b
    torch.cuda.synchronize()
    best = max(best, 50 * 2 * 8192**3 / (time.perf_counter() - start) / 1e12)
print("TFLOPS", round(best, 2), torch.cuda.device_count(), flush=True)
"""
failures: list[str] = []


def claim(text: str, holds: bool, found: object) -> None:
    print(f"{'ok  ' if holds else 'FAIL'}  {text}: {found}", flush=True)
    if not holds:
        failures.append(text)


def job(place: Path, code: str, packages: Path | None = None, **limits: object) -> Job:
    names = [*WRITABLE, "public", "package", "sockets"]
    for name in names:
        (place / name).mkdir(parents=True, exist_ok=True)
    return Job(
        run_id=f"check-{os.getpid()}-{time.monotonic_ns()}",
        command=["python3", "-c", code],
        folders=JobFolders(**{name: place / name for name in names}),
        limits=ResourceLimits(**({"wall_seconds": 120} | limits)),  # type: ignore[arg-type]
        instructions="",
        environment={"LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")},
        log=place / "log",
        resources=place / "resources.jsonl",
        packages=packages,
    )


def run(code: str, **options: object) -> tuple[Outcome, str, list[dict[str, float]]]:
    with tempfile.TemporaryDirectory(prefix="check-") as name:
        place = Path(name)
        outcome = BubblewrapSandbox().run(job(place, code, **options))  # type: ignore[arg-type]
        samples = [
            json.loads(line) for line in (place / "resources.jsonl").read_text().split("\n") if line
        ]
        return outcome, (place / "log").read_text(errors="replace"), samples


def check_limits() -> None:
    limits = {"memory_bytes": 400 * MB, "processes": 100, "cpus": 2.0}
    planned = BubblewrapSandbox().enforcement(ResourceLimits(wall_seconds=1, **limits))  # type: ignore[arg-type]
    wanted = ("memory_bytes", "processes", "cpus")
    claim("planned by the kernel", all(planned[n] == "kernel" for n in wanted), planned)
    outcome, _, _ = run("import time; time.sleep(0.2)", **limits)
    how = {name: outcome.usage[name].enforced for name in wanted}
    claim("enforced by the kernel", set(how.values()) == {"kernel"}, (how, outcome.facts["cgroup"]))
    outcome, _, _ = run("x = bytearray(b'x') * (900 << 20)", **limits)
    claim("memory", outcome.ended_by == "memory", (outcome.reason, outcome.usage["memory_bytes"]))
    memfd = "import os\nf = os.memfd_create('x')\nfor _ in range(900): os.write(f, bytes(1 << 20))"
    outcome, _, _ = run(memfd, **limits)
    claim("memory in a memfd", outcome.ended_by == "memory", outcome.reason)
    spin = "import os, time\nfor _ in range(3): os.fork()\ne = time.time() + 5\n"
    outcome, _, _ = run(spin + "while time.time() < e: pass\ntime.sleep(0.5)", **limits)
    used = outcome.usage["cpus"].used or 0
    claim("8 busy processes on 2 CPUs", 1.5 < used < 2.3, f"{used} CPUs")
    bomb = "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass"
    outcome, _, _ = run(bomb, **limits)
    claim("processes", outcome.ended_by == "processes", outcome.usage["processes"])


def leased_run(number: int, folder: str, answers: object) -> None:
    waited = []

    def goes_on(reason: str) -> bool:
        waited.append(reason)
        return True

    with leased_gpus(1, folder=Path(folder), goes_on=goes_on) as gpus:
        start = time.monotonic()
        outcome, _, _ = run("import time; time.sleep(3)", gpus=tuple(g.index for g in gpus))
        answers.put((number, start, time.monotonic(), len(waited), outcome.ended_by))  # type: ignore[attr-defined]


def check_queue() -> None:
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    with tempfile.TemporaryDirectory() as folder:
        workers = [context.Process(target=leased_run, args=(n, folder, answers)) for n in range(2)]
        for worker in workers:
            worker.start()
        found = sorted((answers.get(timeout=100) for _ in workers), key=lambda one: one[1])
    first, second = found
    claim("two runs wait for one GPU", second[1] >= first[2] and second[3] > 0, found)


def check_product(packages: Path) -> None:
    def outside() -> float:
        done = subprocess.run(
            [sys.executable, "-c", PRODUCT.format(warm=2)],
            env={**os.environ, "PYTHONPATH": str(packages)},
            capture_output=True,
            text=True,
        )
        return float(done.stdout.split()[1])

    before = outside()
    outcome, log, samples = run(PRODUCT.format(warm=4), packages=packages, gpus=(0,))
    said = [line.split() for line in log.splitlines() if line.startswith("TFLOPS")]
    claim("torch works inside", bool(said), log[-500:] if not said else outcome.reason)
    if said:
        best = max(before, outside())
        share = float(said[0][1]) / best
        claim(
            "matrix product inside / outside >= 0.97", share >= 0.97, f"{share:.3f} of {best:.1f}"
        )
    busiest = max(samples, key=lambda one: one.get("gpu_percent", -1))
    claim("GPU use is recorded", busiest.get("gpu_percent", 0) > 50, busiest)
    claim("GPU use is in the usage", bool(outcome.usage["gpus"].used), outcome.usage["gpus"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", type=Path, help="site-packages with torch")
    options = parser.parse_args()
    check_limits()
    check_queue()
    if options.packages:
        check_product(options.packages)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
