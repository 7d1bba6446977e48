"""Describe the sandbox from inside, and submit the sample submission.

The description is written to /home/logs/sandbox.json and to stdout. It needs Python only.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

HOME = Path(os.environ.get("MLEBENCH_ROOT", "/")) / "home"
SUBMISSION = HOME / "submission" / "submission.csv"


def main() -> int:
    seen = {
        "who": [os.getuid(), os.getgid()],
        "variables": sorted(os.environ),
        "writable": {
            name: can_write(HOME / name) for name in ("submission", "logs", "code", "agent")
        },
        "data_is_read_only": not can_write(HOME / "data"),
        "private_is_readable": any(HOME.rglob("private/*")),
        "network_is_closed": not can_connect(),
        "processes": sum(path.name.isdigit() for path in Path("/proc").iterdir()),
    }
    sample = find_sample()
    if sample:
        shutil.copyfile(sample, SUBMISSION)
        seen["validation"] = validate()
    text = json.dumps(seen, indent=1)
    (HOME / "logs" / "sandbox.json").write_text(text)
    print(text)
    return 0 if sample else 1


def can_write(folder: Path) -> bool:
    try:
        (folder / ".probe").write_text("x")
        (folder / ".probe").unlink()
    except OSError:
        return False
    return True


def can_connect() -> bool:
    """Whether there is a route to other machines; a timeout means that packets leave this one."""
    try:
        socket.create_connection(("192.0.2.1", 80), timeout=0.5).close()
    except OSError as error:
        return isinstance(error, TimeoutError)
    return True


def find_sample() -> Path | None:
    for pattern in ("*[sS]ample*[sS]ubmission*.csv", "*andom*.csv", "*.csv"):
        if found := sorted((HOME / "data").glob(pattern)):
            return found[0]
    return None


def validate() -> str:
    command = ["sh", str(HOME / "validate_submission.sh"), str(SUBMISSION)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    try:
        return str(json.loads(done.stdout)["result"])
    except (ValueError, KeyError):
        return f"no answer: {done.stdout} {done.stderr}"


if __name__ == "__main__":
    sys.exit(main())
