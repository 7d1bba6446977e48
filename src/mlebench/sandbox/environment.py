"""The variables and the validation script that an agent finds in every sandbox."""

from __future__ import annotations

from mlebench.sandbox.base import VALIDATION_PORT, Job

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
    }
    if job.packages is not None:
        fixed["PYTHONPATH"] = "/opt/packages"
    return {**fixed, **job.environment}
