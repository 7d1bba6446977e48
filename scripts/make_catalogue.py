"""Write what is generated from the declarations: the catalogue that `list` reads, the docs page.

python scripts/make_catalogue.py            # write
python scripts/make_catalogue.py --check    # exit 1 when a file is out of date
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from generated import write_or_check

from mlebench.catalogue import PACKAGE, Catalogue, facts_of
from mlebench.catalogue.catalogue import chance_of, load_changes, revision_facts

DOCS = Path(__file__).parent.parent / "docs"
TITLES = {
    "starter": "Starter: data of scikit-learn with public answers, for demonstrations",
    "dev": "Development: 7 competitions outside the benchmark",
    "low": "Low complexity (`lite`): 22 competitions",
    "medium": "Medium complexity: 38 competitions",
    "high": "High complexity: 15 competitions",
}


def main() -> int:
    return write_or_check(
        {
            PACKAGE / "catalogue" / "catalogue.json": catalogue(),
            DOCS / "catalogue.md": page(),
            DOCS / "revisions.md": revisions_page(),
        }
    )


CHANCE = (
    "How often predictions that know nothing about the test rows reach the cut-offs of the"
    " leaderboard, by formula at the real size of the test data (`scripts/make_chance.py`). Where"
    " a formula needs a fact about the real labels, the last column names the assumption; `at"
    " most` is an upper bound. Test rows are those of v1. `mlebench audit` measures the rate on"
    " real data."
)


def chance_row(competition_id: str, found: dict[str, Any]) -> str:
    rows = f"{found['test_rows']:,}{' (estimated)' if found['is_estimated'] else ''}"
    shares = [f"{found[name]:.1%}" for name in ("any_medal", "gold", "above_median")]
    return f"| `{competition_id}` | {rows} | {' | '.join(shares)} | {found['method']} |"


BOARDS = (
    "The share of teams that have exactly the score of bronze, and the largest share of teams with"
    " one score, which is mostly that of a public baseline. Shares of rebuilt boards are"
    " accurate within half a percent."
)


def board_row(competition_id: str) -> str:
    board = Catalogue().get_competition(competition_id).load_leaderboard()
    shares = f"{board.share_at_bronze:.1%} | {board.share_with_one_score:.1%}"
    return f"| `{competition_id}` | {board.kind} | {shares} | {board.rows_removed or ''} |"


def declared() -> list[dict[str, Any]]:
    catalogue = Catalogue()
    ids = [i for split in ("starter", "dev", "all") for i in catalogue.get_split(split)]
    located = [catalogue.get_competition(competition_id) for competition_id in ids]
    return [
        facts_of(one.definition) | revision_facts(load_changes(one.home), one.definition)
        for one in located
    ]


def catalogue() -> str:
    lines = (json.dumps(facts, ensure_ascii=False) for facts in declared())
    return "[\n" + ",\n".join(lines) + "\n]\n"


def page() -> str:
    parts = [
        "# Competitions",
        "",
        "Generated from the declarations by `scripts/make_catalogue.py`. ↑: higher is better,"
        " ↓: lower is better. Teams and medal scores are those of the private leaderboard, except"
        " where [Boards](#boards) says public.",
    ]
    facts = declared()
    for complexity, title in TITLES.items():
        parts += ["", f"## {title}", ""]
        parts.append("| id | category | metric | GB | teams | gold | silver | bronze | median |")
        parts.append("|---|---|---|--:|--:|--:|--:|--:|--:|")
        parts += [row(f) for f in facts if f["complexity"] == complexity]
    parts += ["", "## Medals by chance", "", CHANCE, ""]
    parts += [
        "| id | test rows | any medal | gold | above median | how |",
        "|---|--:|--:|--:|--:|---|",
    ]
    parts += [chance_row(f["id"], found) for f in facts if (found := chance_of(f["id"]))]
    parts += ["", "## Boards", "", BOARDS, ""]
    parts += ["| id | board | at bronze | one score | rows removed |", "|---|---|--:|--:|--:|"]
    parts += [board_row(f["id"]) for f in facts if f["complexity"] != "starter"]
    parts += ["", "## Known faults kept in `v1`", ""]
    parts.append("A number is an issue of the published benchmark's tracker.")
    parts += ["", "| id | fault |", "|---|---|"]
    parts += [f"| {f['id']} | {fault} |" for f in facts for fault in f["faults"]]
    return "\n".join(parts) + "\n"


REVISIONS = """\
# Revisions

`v1` is the published benchmark, with its faults. `v1.1` fixes them: answers that follow from public
files or public seeds, graders that reward empty predictions, tasks that cannot be solved as
described. `--revision v1.1` selects it; results of the two revisions are never averaged. Three
rules hold for every competition of v1.1: test items are published in the order of their ids or of
hashes, their pictures have listed tags only, and a submission has the columns of the sample
submission, and each id as often as it does. The descriptions that an agent reads state what v1.1
changes: a competition declares the passages of v1's texts that are not true any more and what
replaces them. This page is generated from the declarations by `scripts/make_catalogue.py`;
`mlebench revisions ID` shows one competition.

The column `compares` says whether scores can be compared with those of v1. `same`: an honest
submission has the same score. `near`: the test rows and the metric are the same, but more or less
information is public. `new`: other test rows or another metric. Results of `reported` and
`withdrawn` competitions are shown but are not part of any rate; every rate names its denominator.
Reports say whether a medal is uncertain ([Grading](grading.md)); the [catalogue](catalogue.md)
says how often chance alone wins one.

Only real data can show near-duplicates: `mlebench audit` counts them.

Pictures of test items are the same pixel by pixel, but tags that may tell labels are dropped. JPEG
and PNG files keep what decoding needs, the colour profile and the orientation; DICOM files keep
what describes, shows and places the pixels, modality, laterality and view, sex and age, and the ids
of file, series and study (`preparing/pictures/dicom_tags.py` has the list). EXIF, XMP, dates,
texts, names, private elements and overlays are dropped, and what follows the picture in its file; a
comment in front of a JPEG picture stays, and `mlebench audit` reads it. Train pictures keep all
tags, since both revisions store them once: a program that reads other tags finds them in train
only. Files and members of archives that v1.1 writes are covered. TIFF and other formats, pictures
inside TFRecord and BSON files, and DICOM files whose whole data set is compressed are published as
they are, and so is what cannot be parsed: what no decoder reads is no picture. The classes of
comparability do not change, since no description names a dropped tag.
"""


LOST = """
## What an agent loses that only used faults

These agents learn nothing: they read public files or use a rule of the grader. Both revisions are
prepared from the same synthetic data, which has the faults of the real data; `planted` marks
faults that were added as the published reports describe them. Medals are by the cut-offs of the
real leaderboard (`scripts/make_exploits.py`; the tests run the agents again and compare).

| id | uses | score in v1 | medal | score in v1.1 | medal |
|---|---|--:|---|--:|---|"""


WITHOUT_MEDAL = """
Other faults raise a score, but not to a medal on all data; their tests compare scores: files with
some of the weeks (osic) or slices (uw-madison), repeated ids (predict-volcanic, champs), words that
no row has (facebook, imet, plant-pathology-2021), blank predictions (tgs-salt,
tensorflow2-question-answering), and the giver of a pizza, who is known for 7 % of the posts: an
agent that reads this field scores 0.65 instead of 0.5, and bronze is 0.6921. A blank where the seed
says that a word is missing (billion-word) lowers a distance by 1. With real data that is gold; with
synthetic sentences, which are short, even the unchanged file is below the cut-off."""


def lost_rows() -> list[str]:
    recorded = json.loads(Path(__file__).with_name("exploits.json").read_text("utf-8"))
    found = {name: own for name, own in recorded.items() if own["v1"]["medal"]}
    rows = []
    for name, own in found.items():
        cells = [f"`{name}`", own["kind"]]
        for revision in ("v1", "v1.1"):
            score = own[revision]["score"]
            cells += [
                "refused" if score is None else f"{score:g}",
                own[revision]["medal"] or "none",
            ]
        rows.append(f"| {' | '.join(cells)} |")
    left = sum(own["v1.1"]["medal"] is not None for own in found.values())
    count = f"Medals of these {len(found)} agents: {len(found)} in v1, {left} in v1.1."
    return [*rows, "", f"{count}{WITHOUT_MEDAL}"]


def revisions_page() -> str:
    catalogue = Catalogue()
    ids = [name for split in ("all", "dev") for name in catalogue.get_split(split)]
    parts = [
        REVISIONS,
        "| id | compares | scoring | fault in v1 | in v1.1 |",
        "|---|---|---|---|---|",
    ]
    flags = ["", "## What v1.1 cannot fix", "", "| id | flag |", "|---|---|"]
    for name in ids:
        changes = load_changes(catalogue.home_of(name))
        for fix in changes.fixes:
            fault = f"{fix.fault} ({fix.issue})" if fix.issue else fix.fault
            cells = (f"`{name}`", changes.comparability, changes.scoring, fault, fix.change)
            parts.append("| " + " | ".join(cells) + " |")
        flags += [f"| `{name}` | {flag} |" for flag in changes.all_flags]
        if changes.reason:
            flags.append(f"| `{name}` | {changes.scoring}: {changes.reason} |")
    return "\n".join([*parts, LOST, *lost_rows(), *flags]) + "\n"


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
