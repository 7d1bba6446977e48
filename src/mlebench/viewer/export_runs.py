"""The static page of a run: limited parts of its trajectory, logs and files."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from mlebench.results.failures import ESCAPES
from mlebench.results.page.rendering import PageTable
from mlebench.results.plots.clock import duration
from mlebench.viewer.index import Place
from mlebench.viewer.lines import StillReading
from mlebench.viewer.pages.run_views import Query, RunViews
from mlebench.viewer.places import Absent
from mlebench.viewer.previews import PreviewFailed

MAX_STEPS = 200
MAX_LOGS = 5
LOG_LINES = 1000
MAX_FILES = 500
MAX_CODE = 20
CODE_BYTES = 64 << 10
NOT_SHOWN = (Absent, StillReading, PreviewFailed)


def run_context(views: RunViews, place: Place) -> dict[str, Any]:
    """The variables of the template of a run."""
    found = views.run(place)
    run, row = found["run"] or {}, place.row
    model, report = run.get("model") or {}, found["report"] or {}
    is_synthetic, teams = bool(report.get("is_rehearsal")), report.get("teams")
    mark = " synthetic" if is_synthetic else ""
    strip = {
        "score": None if row.score is None else f"{row.score:.5f}{mark}",
        "rank": f"{row.rank:,} of {teams:,}" if row.rank and teams else None,
        "state": row.state,
        "time": None if row.seconds is None else duration(row.seconds),
        "tokens": None if row.tokens is None else f"{row.tokens:,}",
        "cost": f"${model['cost']:,.2f}" if model.get("cost") is not None else None,
        "validations": row.validations,
        "reason": report.get("reason") or run.get("reason"),
    }
    return {
        "title": f"{row.competition} · {place.group.facts['agent']} · seed {row.seed}",
        "badges": [
            f"revision {place.group.facts['revision'] or 'unknown'}",
            *(["rehearsal: synthetic data"] if is_synthetic else []),
            *(["uncertain"] if "U" in place.row.flags else []),
        ],
        "problem": found["problem"],
        "strip": strip,
        "command": found["command"],
        "plots": found["plots"],
        "tables": found["tables"],
        "steps": _steps(views, place),
        "logs": [_log(views, place, log["name"]) for log in found["logs"][:MAX_LOGS]],
        **_files(views, place),
        "submission": _submission(views, place),
        "report": _scalars(report),
        "integrity": _integrity(found["integrity"]),
        "provenance": _scalars(run.get("provenance") or {}),
    }


def _integrity(record: Mapping[str, Any] | None) -> PageTable | None:
    """The findings about the run; None if it was not checked."""
    if record is None:
        return None
    head = ("check", "severity", "status", "finding", "evidence")
    rows = [
        [
            *(finding["check"], finding["severity"], finding["status"], finding["title"]),
            "; ".join(f"{item['file']}: {item['quote']}" for item in finding["evidence"]),
        ]
        for finding in record["findings"]
    ]
    return PageTable(head, rows or [[None, record["result"], None, "no findings", None]])


def _scalars(record: Mapping[str, Any]) -> dict[str, Any]:
    shown = {
        name: ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
        for name, value in record.items()
        if not isinstance(value, Mapping) and name != "schema"
    }
    return {name: value for name, value in shown.items() if value not in (None, "")}


def _steps(views: RunViews, place: Place) -> dict[str, Any]:
    found: list[dict[str, Any]] = []
    total = 0
    with suppress(*NOT_SHOWN):
        while len(found) < MAX_STEPS:
            page = views.trajectory(place, Query(f"from={len(found)}&count=50"))
            total = page["total"]
            if not page["steps"]:
                break
            found += page["steps"]
    return {"list": found[:MAX_STEPS], "more": max(0, total - MAX_STEPS)}


def _log(views: RunViews, place: Place, name: str) -> dict[str, Any]:
    lines: list[str] = []
    total = 0
    with suppress(*NOT_SHOWN):
        page = views.log(place, Query(urlencode({"name": name, "tail": LOG_LINES})))
        lines, total = [line["text"] for line in page["lines"]], page["total"]
    text = ESCAPES.sub("", "\n".join(lines))
    return {"name": name, "text": text, "shown": len(lines), "left": total - len(lines)}


def _files(views: RunViews, place: Place) -> dict[str, Any]:
    entries = views.named["files"](place, Query(""))["entries"]
    rows = [[entry["path"], entry["kind"], f"{entry['size']:,}"] for entry in entries[:MAX_FILES]]
    code: list[tuple[str, str | None]] = []
    for entry in entries:
        is_small = entry["kind"] == "file" and entry["size"] <= CODE_BYTES
        if is_small and entry["path"].startswith("code/") and len(code) < MAX_CODE:
            with suppress(*NOT_SHOWN):
                code.append((entry["path"], _file_text(views, place, entry["path"])))
    shown = [(name, text) for name, text in code if text is not None]
    return {"files": PageTable(("file", "kind", "bytes"), rows, ("bytes",)), "code": shown}


def _file_text(views: RunViews, place: Place, path: str) -> str | None:
    page = views.file(place, Query(urlencode({"path": path, "from": 0, "count": LOG_LINES})))
    return "\n".join(line["text"] for line in page["lines"]) if page.get("lines") else None


def _submission(views: RunViews, place: Place) -> PageTable | None:
    with suppress(*NOT_SHOWN):
        found = views.submission(place)
        if found["exists"] and found["columns"]:
            width = len(found["columns"])
            rows = [*found["head"], *(found["tail"] or [])]
            whole = [[*row, *[None] * width][:width] for row in rows]
            return PageTable(found["columns"], whole, is_sortable=False)
    return None
