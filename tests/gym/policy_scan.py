"""A policy process that plays an episode and then searches itself and its children for canaries.

It knows the form of a canary and not its value. Run as `python -m tests.gym.policy_scan DATA LOGS`.
"""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import re
import sys
from pathlib import Path
from typing import Any

from mlebench.catalogue import Catalogue
from mlebench.gym import Episode, Run, Services, Submit, Validate, find_task
from mlebench.gym.environment import CompetitionEnv
from mlebench.sandbox.procfs import descendants

SHAPE = re.compile(b"cana" + b"ry-[0-9a-f]{32}")
SOLVE = """
import os, re, shutil
shutil.copy("/home/data/sample_submission.csv", "/home/submission/submission.csv")
shape = re.compile(b"cana" + b"ry-[0-9a-f]{32}")
found = 0
for folder, folders, files in os.walk("/"):
    if folder == "/":
        folders[:] = [name for name in folders if name not in ("proc", "sys", "usr", "lib", "opt")]
    for name in files:
        path = os.path.join(folder, name)
        try:
            if os.path.isfile(path):
                found += len(shape.findall(open(path, "rb").read()))
        except OSError:
            pass
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for line in maps:
        span, rights = line.split()[:2]
        start, stop = (int(part, 16) for part in span.split("-"))
        if rights[0] == "r":
            try:
                memory.seek(start)
                found += len(shape.findall(memory.read(stop - start)))
            except (OSError, ValueError, OverflowError):
                pass
print("found", found)
"""


def scan(pid: int) -> int:
    """Canaries in the memory of a process; -1 if it may not be read."""
    found = 0
    try:
        with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
            for line in maps:
                start, stop = (int(part, 16) for part in line.split()[0].split("-"))
                try:
                    memory.seek(start)
                    found += len(SHAPE.findall(memory.read(stop - start)))
                except (OSError, ValueError, OverflowError):
                    continue
    except OSError:
        return -1
    return found


async def main(data: Path, logs: Path) -> dict[str, Any]:
    catalogue = Catalogue(data, (), "v1.1")
    async with Services(ready=1) as services:
        task = find_task("starter-wine", catalogue=catalogue)
        episode = Episode(task, services=services, logs=logs, reward="improvement+valid")
        first = await episode.reset()
        results = [await episode.step(action) for action in (Run(code=SOLVE), Validate(), Submit())]
        env = CompetitionEnv("starter-wine", data_dir=str(data), reward="medal")
        sent = [pickle.dumps(value) for value in (env, task, first, *results)]
        texts = [path.read_bytes() for path in logs.iterdir()]
        own = scan(os.getpid())  # before graders are read, whose canaries would be found here
        graders, others = {}, {}
        for pid in descendants(os.getpid()):
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
            place = graders if b"mlebench.system.fork_server" in words else others
            place[pid] = scan(pid)
        return {
            "inside": results[0].observation.text,
            "policy": own,
            "maps": Path("/proc/self/maps").read_text().count("/private/"),
            "sent": sum(len(SHAPE.findall(part)) for part in (*sent, *texts)),
            "paths_sent": sum(part.count(b"/private") for part in sent[:1]),
            "graders": list(graders.values()),
            "others": list(others.values()),
            "rewards": [result.reward for result in results],
        }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))))
