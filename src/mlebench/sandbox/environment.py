"""The variables and the small files that an agent finds in every sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mlebench.sandbox.base import VALIDATION_PORT, Job
from mlebench.sandbox.programs import bridge, mcp_server

IMAGE_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PATH = "/opt/python/bin:/usr/local/bin:/usr/bin:/bin"
VALIDATE_SCRIPT = f"""#!/bin/sh
# Asks whether a submission has the right format; says nothing about its score.
file="${{1:-/home/submission/submission.csv}}"
if command -v curl >/dev/null 2>&1; then
    exec curl -sS -X POST -F "file=@$file" http://localhost:{VALIDATION_PORT}/validate
fi
exec python3 - "$file" <<'END'
import sys, urllib.error, urllib.request, uuid
mark = uuid.uuid4().hex
data = open(sys.argv[1], "rb").read()
part = 'Content-Disposition: form-data; name="file"; filename="submission.csv"'
head = f"--{{mark}}\\r\\n{{part}}\\r\\n\\r\\n"
body = head.encode() + data + f"\\r\\n--{{mark}}--\\r\\n".encode()
request = urllib.request.Request("http://localhost:{VALIDATION_PORT}/validate", body)
request.add_header("Content-Type", f"multipart/form-data; boundary={{mark}}")
try:
    print(urllib.request.urlopen(request).read().decode())
except urllib.error.HTTPError as error:
    print(error.read().decode())
    sys.exit(1)
END
"""


def sandbox_environment(job: Job) -> dict[str, str]:
    """All variables of the agent."""
    fixed = {
        "PATH": PATH,
        "HOME": "/home/agent",
        "USER": "agent",
        "LANG": "C.UTF-8",
        "TMPDIR": "/tmp",
        # LiteLLM fetches its price list from the web when it is imported without this.
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
    if job.packages is not None:
        fixed["PYTHONPATH"] = "/opt/packages"
    if job.program is not None:
        fixed["MLEBENCH_PROGRAM"] = "/opt/program"
    return {**fixed, **job.environment}


def small_files(job: Job) -> dict[str, bytes]:
    """The files that every sandbox shows besides the agent's folders, by their path inside."""
    return {
        "/home/instructions.txt": job.instructions.encode(),
        "/home/validate_submission.sh": VALIDATE_SCRIPT.encode(),
        "/home/mcp_server.py": Path(mcp_server.__file__).read_bytes(),
    }


def write_files(job: Job, place: Path, more: Mapping[str, bytes]) -> dict[str, Path]:
    """Write the files that are mounted into a container one by one.

    Args:
        more: content of further files by their path inside.

    Returns:
        The files by their path inside.
    """
    place.chmod(0o755)
    contents = {
        **small_files(job),
        "/run/bridge.py": Path(bridge.__file__).read_bytes(),
        **more,
    }
    found = {}
    for target, content in contents.items():
        found[target] = place / Path(target).name
        found[target].write_bytes(content)
        found[target].chmod(0o555)
    return found
