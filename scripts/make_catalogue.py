"""Write what is generated from the declarations: the catalogue that `list` reads, the docs page.

python scripts/make_catalogue.py            # write
python scripts/make_catalogue.py --check    # exit 1 when a file is out of date
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from mlebench.catalogue import PACKAGE, Catalogue, facts_of
from mlebench.catalogue.catalogue import load_changes

DOCS = Path(__file__).parent.parent / "docs"
TITLES = {
    "starter": "Starter: real data inside scikit-learn, answers public, a demonstration",
    "dev": "Development: 7 competitions outside the benchmark",
    "low": "Low complexity (`lite`): 22 competitions",
    "medium": "Medium complexity: 38 competitions",
    "high": "High complexity: 15 competitions",
}


def main() -> int:
    files = {
        PACKAGE / "catalogue" / "catalogue.json": catalogue(),
        DOCS / "catalogue.md": page(),
        DOCS / "revisions.md": revisions_page(),
    }
    stale = [file for file, text in files.items() if not file.exists() or file.read_text() != text]
    if "--check" in sys.argv:
        for file in stale:
            print(f"{file.name} is out of date; run: python scripts/make_catalogue.py")
        return 1 if stale else 0
    for file in stale:
        file.write_text(files[file], "utf-8")
        print(f"wrote {file.name}")
    return 0


def declared() -> list[dict[str, Any]]:
    catalogue = Catalogue()
    return [
        facts_of(catalogue.get_competition(competition_id).definition)
        for split in ("starter", "dev", "all")
        for competition_id in catalogue.get_split(split)
    ]


def catalogue() -> str:
    lines = (json.dumps(facts, ensure_ascii=False) for facts in declared())
    return "[\n" + ",\n".join(lines) + "\n]\n"


def page() -> str:
    parts = [
        "# Competitions",
        "",
        "Generated from the declarations by `scripts/make_catalogue.py`. ↑: higher is better,"
        " ↓: lower is better. Teams and medal scores are those of the private leaderboard.",
    ]
    facts = declared()
    for complexity, title in TITLES.items():
        parts += ["", f"## {title}", ""]
        parts.append("| id | category | metric | GB | teams | gold | silver | bronze | median |")
        parts.append("|---|---|---|--:|--:|--:|--:|--:|--:|")
        parts += [row(f) for f in facts if f["complexity"] == complexity]
    parts += ["", "## Known faults kept in `v1`", ""]
    parts.append("A number is an issue of the published benchmark's tracker.")
    parts += ["", "| id | fault |", "|---|---|"]
    parts += [f"| {f['id']} | {fault} |" for f in facts for fault in f["faults"]]
    return "\n".join(parts) + "\n"


REVISIONS = """\
# Revisions

`v1` is the published benchmark, with its faults. `v1.1` mends what public files, the public seeds
and the graders reveal; `--revision v1.1` selects it, and results of the two are never averaged.
In every competition of v1.1 test items are published in the order of their ids or of hashes, and
a submission must be as plain as the sample submission. This page is generated from the
declarations by `scripts/make_catalogue.py`; `mlebench revisions ID` shows one of them.

Scores of a competition compare with v1 as follows. same: an honest submission has the same score.
near: the test rows and the metric are the same, but other information is public. new: other rows
or another metric. Results of `reported` and `withdrawn` competitions are to be left out of medal
rates.

Not complete yet: standard errors of scores, uncertain medals, medal rates that leave out
competitions that are not scored, cells that contain a word for a missing value (chaii, tweet-
sentiment, text-normalization), and near-duplicates, which only real data can show (`mlebench
audit`).
"""


def revisions_page() -> str:
    catalogue = Catalogue()
    ids = [name for split in ("all", "dev") for name in catalogue.get_split(split)]
    parts = [
        REVISIONS,
        "| id | compares | scoring | fault in v1 | in v1.1 |",
        "|---|---|---|---|---|",
    ]
    flags = ["", "## What no change of ours can mend", "", "| id | flag |", "|---|---|"]
    for name in ids:
        changes = load_changes(catalogue.home_of(name))
        for fix in changes.fixes:
            fault = f"{fix.fault} ({fix.issue})" if fix.issue else fix.fault
            cells = (f"`{name}`", changes.comparability, changes.scoring, fault, fix.change)
            parts.append("| " + " | ".join(cells) + " |")
        flags += [f"| `{name}` | {flag} |" for flag in changes.flags]
        if changes.reason:
            flags.append(f"| `{name}` | {changes.scoring}: {changes.reason} |")
    return "\n".join([*parts, *flags]) + "\n"


def row(facts: dict[str, Any]) -> str:
    board = Catalogue().get_competition(facts["id"]).load_leaderboard()
    cuts = board.thresholds
    arrow = "↓" if facts["is_lower_better"] else "↑"
    size = "—" if facts["dataset_gb"] is None else f"{facts['dataset_gb']:g}"
    cells = [
        f"`{facts['id']}`",
        facts["category"],
        f"{facts['metric']} {arrow}",
        size,
        f"{board.teams:,}",
        *(f"{score:g}" for score in (cuts.gold, cuts.silver, cuts.bronze, cuts.median)),
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
