"""Looks around in the sandbox it runs in, writes what it saw, and hands in the sample submission.

Needs nothing but Python. It writes what it saw to /home/logs/sandbox.json and to stdout.
"""

import json
import os
import shutil
import socket
import sys
import urllib.request
from pathlib import Path

HOME = Path(os.environ.get("MLEBENCH_ROOT", "/")) / "home"
SUBMISSION = HOME / "submission" / "submission.csv"
PORT = int(os.environ.get("MLEBENCH_VALIDATION_PORT", "5000"))


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
    """Whether anything beyond localhost answers: a name that resolves, or a route to outside."""
    try:
        socket.create_connection(("192.0.2.1", 80), timeout=0.5).close()
    except OSError as error:
        return isinstance(error, TimeoutError)
    return True


def find_sample() -> Path | None:
    found = sorted((HOME / "data").glob("*[sS]ample*[sS]ubmission*.csv"))
    if not found:
        found = sorted((HOME / "data").glob("*andom*.csv")) or sorted((HOME / "data").glob("*.csv"))
    return found[0] if found else None


def validate() -> str:
    boundary = "part"
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="s.csv"\r\n\r\n'
    ).encode()
    body += SUBMISSION.read_bytes() + f"\r\n--{boundary}--\r\n".encode()
    request = urllib.request.Request(
        f"http://localhost:{PORT}/validate",
        data=body,
        headers={"Content-Type": f"multipart/form-data; boundary={boundary}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            return str(json.load(reply)["result"])
    except (OSError, ValueError, KeyError) as error:
        return f"no answer: {error}"


if __name__ == "__main__":
    sys.exit(main())
