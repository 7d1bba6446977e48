"""Write the table of checked agents in docs/agents.md: `mlebench agents check --all --json`.

    python scripts/make_agents_table.py [RESULT.json]

With a file, the result that it contains is used. Installed agents are checked, a minute each.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "agents.md"
BEGIN, END = "<!-- checked agents -->\n", "<!-- end of checked agents -->\n"
HEAD = "| agent | package | version | protocol | MCP | runs with | calls | result |\n"


def main(files: list[str]) -> int:
    if files:
        text = Path(files[0]).read_text("utf-8")
    else:
        words = [sys.executable, "-m", "mlebench", "agents", "check", "--all", "--json"]
        text = subprocess.run(words, stdout=subprocess.PIPE, text=True).stdout
    checks = json.loads(text)["checks"]
    table = HEAD + "|---" * HEAD.count(" |") + "|\n" + "".join(map(row, checks))
    page = PAGE.read_text("utf-8")
    head, rest = page.split(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}", "utf-8")
    return 0 if all(one["is_ok"] for one in checks) else 1


def row(one: dict[str, Any]) -> str:
    needs = [
        f"Python {one['python']}" if one["python"] else "",
        one["node"] and f"Node {one['node']}",
    ]
    cells = [
        f"`{one['agent']}`",
        f"`{one['package']}`",
        one["version"],
        one["protocol"],
        "yes" if one["has_mcp"] else "—",
        ", ".join(filter(None, needs)) or "—",
        str(one["calls"]),
        f"ok, {one['sandbox']}" if one["is_ok"] else f"failed: {one['reason']}",
    ]
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
