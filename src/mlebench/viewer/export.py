"""Write a static copy of the viewer's pages: plain HTML for any web server.

All texts, and then every rendered page, are redacted: keys, the home folder and the path of the
runs are removed.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mlebench.catalogue import Catalogue
from mlebench.errors import BenchError, UsageError
from mlebench.records.reasons import REMOVED
from mlebench.results import runs_table
from mlebench.results.attempts import RunMemory
from mlebench.results.boards import ORDER
from mlebench.results.notes import UNCERTAIN
from mlebench.results.page.rendering import PageTable, render
from mlebench.results.page.report import HERE as PAGE
from mlebench.results.page.report import style_text
from mlebench.results.page.trust import audit_table
from mlebench.results.plots.clock import duration
from mlebench.results.redaction import Cleaner
from mlebench.viewer.boards import CompetitionIndex
from mlebench.viewer.export_runs import run_context
from mlebench.viewer.export_text import (
    badges_of,
    figures_of,
    file_names,
    group_cells,
    mean_text,
    medal_sentence,
    one_value,
    safe_name,
)
from mlebench.viewer.index import Index, Place
from mlebench.viewer.pages.compare import compare_sides
from mlebench.viewer.pages.group import describe_competition, describe_group
from mlebench.viewer.pages.run_views import RunViews
from mlebench.viewer.previews import Readers
from mlebench.viewer.scan import Group, short_names

TEMPLATES = Path(__file__).parent / "templates"
SECRET_NAMES = re.compile("KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
LEAST_SECRET = 12
MOST_SIDES = 8
"""The most agents of which every pair is compared."""

LETTERS = {"–": "-", "×": "x"}
"""Letters of the report that are ASCII in the index."""

WORDS = {LETTERS.get(letter, letter): word for letter, word in runs_table.WORDS.items()}
WORDS |= {"r": "running", ".": "waiting", "c": "cancelled"}
CSS = {LETTERS.get(letter, letter): name for letter, name in runs_table.CSS.items()}
CSS |= dict.fromkeys("r.c", "waiting")
GROUP_HEAD = (
    *("agent", "data", "split", "revision", "any medal"),
    *("G", "S", "B", "invalid", "failed", "started"),
)
RUN_HEAD = (
    *("competition", "agent", "revision", "seed", "outcome"),
    *("score", "rank", "time", "cost", "reason"),
)


@dataclass
class StaticCopy:
    """Writes the pages of a runs folder to a new folder."""

    index: Index
    competitions: CompetitionIndex
    target: Path
    pages: int = 0
    _names: dict[str, str] = field(default_factory=dict)

    def write(self) -> int:
        """Write all pages; returns their number."""
        self.index.refresh(is_forced=True)
        self._put("style.css", style_text() + (TEMPLATES / "site.css").read_text("utf-8"))
        self._put("page.js", (PAGE / "page.js").read_text("utf-8"))
        groups = self.index.groups()
        self._names = file_names([group.id for group in groups])
        readers = Readers()
        views = RunViews(self.index, self.competitions, readers)
        for group in groups:
            self._group(group)
            for number in range(len(group.rows)):
                self._run(Place(group, number, self.index.root), views)
        readers.previews.stop()
        names = sorted({row.competition for group in groups for row in group.rows})
        for name in names:
            self._competition(name)
        self._page(
            "groups.html",
            "index.html",
            title="Run groups",
            crumbs=[],
            badges=[],
            head=GROUP_HEAD,
            rows=[(f"{self._names[g.id]}/index.html", group_cells(g)) for g in groups],
            pairs=self._pairs(groups),
            competitions=[(name, f"competitions/{safe_name(name)}.html") for name in names],
        )
        return self.pages

    @cached_property
    def _clean(self) -> Cleaner:
        return Cleaner([self.index.root, self.index.root.parent])

    @cached_property
    def _secrets(self) -> re.Pattern[str]:
        """Values of environment variables whose names look like those of keys."""
        found = {
            value
            for name, value in os.environ.items()
            if SECRET_NAMES.search(name) and len(value) >= LEAST_SECRET
        }
        return re.compile("|".join(map(re.escape, sorted(found))) or r"(?!)")

    def redact(self, text: str) -> str:
        return self._clean(self._secrets.sub(REMOVED, text))

    def redact_all(self, value: Any) -> Any:
        """A value with every text in it redacted."""
        if isinstance(value, str):
            return type(value)(self.redact(value))
        if isinstance(value, PageTable):
            parts = self.redact_all({"head": value.head, "rows": value.rows})
            return replace(value, **parts)
        if isinstance(value, Mapping):
            return {name: self.redact_all(part) for name, part in value.items()}
        if isinstance(value, list | tuple):
            return [self.redact_all(part) for part in value]
        return value

    def _page(self, template: str, path: str, **context: Any) -> None:
        shown = self.redact_all(context) | {"base": "../" * path.count("/")}
        self._put(path, self.redact(render(template, shown, TEMPLATES)))
        self.pages += 1

    def _put(self, path: str, text: str) -> None:
        file = self.target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def _group(self, group: Group) -> None:
        found = describe_group(self.index, self.competitions, group, RunMemory())
        facts = found["group"]
        splits = found["splits"]
        measures = list(splits[0]["measures"]) if splits else []
        self._page(
            "group.html",
            f"{self._names[group.id]}/index.html",
            title=f"{facts['agent'] or group.id} {facts['split']}",
            crumbs=[(group.id, f"{self._names[group.id]}/index.html")],
            badges=[f"revision {facts['revision']}", *badges_of(facts)],
            sentence=medal_sentence(facts),
            notes=found["notes"],
            uncertain=UNCERTAIN,
            problem=facts["problem"],
            words=WORDS,
            css=CSS,
            matrix=self._matrix(group),
            summary=PageTable(
                ("measure", *(f"{s['split']}, percent of {s['denominator']}" for s in splits)),
                [
                    [m.replace("_", " "), *(mean_text(s["measures"][m]) for s in splits)]
                    for m in measures
                ],
            ),
            **figures_of(found),
            head=RUN_HEAD,
            rows=list(self._run_rows(group)),
            command=facts["command"],
            protocol=facts["protocol"],
            settings={name: one_value(value) for name, value in facts["settings"].items()},
        )

    def _matrix(self, group: Group) -> dict[str, dict[str, list[dict[str, str]]]]:
        """The cells of each competition, by complexity."""
        found: dict[str, dict[str, list[dict[str, str]]]] = {}
        for number, row in enumerate(group.rows):
            facts = self.competitions.facts.get(row.competition, {})
            cells = found.setdefault(str(facts.get("complexity", "other")), {})
            tip = f"{row.competition}, seed {row.seed}: {WORDS[row.outcome]}"
            if row.score is not None:
                tip += f", {row.score:.5f}{' synthetic' if 'R' in row.flags else ''}"
            if "U" in row.flags:
                tip += ", uncertain"
            cell = {
                "letter": row.outcome,
                "mark": "?" if "U" in row.flags else "",
                "tip": tip,
                "address": self._address(group, number),
                "competition": safe_name(row.competition),
            }
            cells.setdefault(row.competition, []).append(cell)
        return {
            name: dict(sorted(found[name].items()))
            for name in sorted(found, key=lambda name: ORDER.get(name, 9))
        }

    def _address(self, group: Group, number: int) -> str:
        return f"{self._names[group.id]}/{safe_name(short_names(group)[number])}.html"

    def _run_rows(
        self, group: Group, competition: str | None = None
    ) -> Iterator[tuple[str, list[Any]]]:
        for number, row in enumerate(group.rows):
            if competition in (None, row.competition):
                teams = self.competitions.describe(row.competition)["teams"]
                score = None if row.score is None else f"{row.score:.5f}"
                cells = [
                    row.competition,
                    group.facts["agent"],
                    group.facts["revision"] or None,
                    row.seed,
                    WORDS[row.outcome] + (", uncertain" if "U" in row.flags else ""),
                    f"{score} synthetic" if score and "R" in row.flags else score,
                    f"{row.rank:,} of {teams:,}" if row.rank and teams else None,
                    None if row.seconds is None else duration(row.seconds),
                    None if row.cost is None else f"${row.cost:,.2f}",
                    row.reason or None,
                ]
                yield self._address(group, number), cells

    def _run(self, place: Place, views: RunViews) -> None:
        path = self._address(place.group, place.number)
        group = (place.group.id, f"{self._names[place.group.id]}/index.html")
        context = run_context(views, place)
        self._page("run.html", path, crumbs=[group], **context | figures_of(context))

    def _competition(self, name: str) -> None:
        found = describe_competition(self.index, self.competitions, name)
        self._page(
            "competition.html",
            f"competitions/{safe_name(name)}.html",
            title=name,
            crumbs=[],
            badges=[],
            cuts={key: one_value(value) for key, value in (found["thresholds"] or {}).items()},
            audit=audit_table(found["audit"]),
            **figures_of(found),
            head=RUN_HEAD,
            rows=[row for group in self.index.groups() for row in self._run_rows(group, name)],
        )

    def _pairs(self, groups: list[Group]) -> PageTable:
        """The difference of each pair of agents that can be compared."""
        agents = list(dict.fromkeys(group.facts["agent"] for group in groups))[:MOST_SIDES]
        rows = []
        for first, second in combinations(agents, 2):
            try:
                found = compare_sides(self.index, [first, second])
            except BenchError:
                continue
            if overall := found["overall"]:
                interval = f"{overall['low']:+.1f} to {overall['high']:+.1f}"
                difference = f"{overall['difference']:+.1f} points"
                rows.append([second, first, difference, interval, found["problem"]])
        return PageTable(("agent", "compared with", "difference", "95 % interval", "note"), rows)


def export_runs(root: Path, catalogue: Catalogue, target: Path, *, only: str | None = None) -> int:
    """Write the copy to a folder that is new or empty; returns the number of pages.

    Raises:
        UsageError: the folder is not empty, or is inside the runs folder, or cannot be written.
    """
    target = target.absolute()
    if target.is_relative_to(root) or (target.exists() and any(target.iterdir())):
        raise UsageError(
            f"{target} is not an empty folder outside the runs folder",
            hint="name a new folder: mlebench view --export site",
        )
    partial = target.with_name(f".{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    competitions = CompetitionIndex(catalogue)
    try:
        partial.mkdir(parents=True)
        with TemporaryDirectory() as cache:
            index = Index(root, competitions, Path(cache), only=only)
            pages = StaticCopy(index, competitions, partial).write()
        if target.exists():
            target.rmdir()
        partial.rename(target)
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return pages
