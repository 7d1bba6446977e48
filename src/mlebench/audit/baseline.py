"""Check of suspicious fields: does the baseline agent win a medal because of one of them?"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.audit.audited import Audited
from mlebench.audit.fields import TABLES, separator
from mlebench.audit.record import Observation
from mlebench.audit.telling import TellingField, read_tags, telling_fields
from mlebench.audit.training import MOST_FILES, can_train, predict
from mlebench.records.manifest import walk_files
from mlebench.tables import read_table, write_table

if TYPE_CHECKING:
    import pandas as pd

SUSPECTED = 0.9
"""Below the level at which a field fails by itself."""

MOST_FIELDS = 3


def check_baseline(audited: Audited) -> Iterator[Observation]:
    """The baseline agent wins the same medal with and without each suspicious field."""
    if not audited.with_baseline:
        yield Observation("not applicable", "skipped: --no-baseline")
        return
    if audited.board is None or not audited.has_own_board:
        yield Observation("not applicable", "the board is that of the real data, or there is none")
        return
    fields = {field.name: field for field in telling_fields(audited, SUSPECTED)}
    if not fields:
        yield Observation("not applicable", f"no field separates the labels by {SUSPECTED}")
        return
    if not can_train(audited.competition.public_dir):
        yield Observation("not applicable", f"more than {MOST_FILES:,} public files")
        return
    for field in sorted(fields.values(), key=lambda field: -field.separation)[:MOST_FIELDS]:
        yield _compare(audited, field)


def _compare(audited: Audited, field: TellingField) -> Observation:
    with_field, without = _scores(audited, field)
    cuts = audited.board.thresholds if audited.board else None
    if with_field is None or without is None or cuts is None:
        return Observation("not applicable", f"{field}: the baseline agent trained no model")
    medals = [cuts.medal(with_field), cuts.medal(without)]
    one, other = (medal or "no medal" for medal in medals)
    text = (
        f"{field}: the baseline agent scores {with_field:g} ({one}) with it and {without:g}"
        f" ({other}) without it"
    )
    gains = medals[0] != medals[1] and audited.is_better(with_field, without)
    return Observation("fail" if gains else "pass", text, with_field, without)


def _scores(audited: Audited, field: TellingField) -> tuple[float | None, float | None]:
    """The score with the field as a column of tables, and without it."""
    with tempfile.TemporaryDirectory(prefix="mlebench-audit-") as folder:
        changed = Path(folder) / "data"
        _link(audited.competition.public_dir, changed)
        if field.path is None:
            _add_tag(audited, field.name, changed)
        else:
            _drop_column(changed, field.name)
        predicted = predict(changed, audited.sample)
    own, other = (
        None if table is None else audited.verdict_on(table).score
        for table in (audited.baseline, predicted)
    )
    return (other, own) if field.path is None else (own, other)


def _link(source: Path, target: Path) -> None:
    """A copy of links: files that are changed replace theirs."""
    for file in walk_files(source):
        link = target / file.relative_to(source)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(file.resolve())


def _replace(table: pd.DataFrame, path: Path) -> None:
    path.unlink(missing_ok=True)
    write_table(table, path)


def _drop_column(folder: Path, name: str) -> None:
    for path in sorted(file for file in folder.rglob("*") if file.suffix in TABLES):
        table = read_table(path, sep=separator(path.suffix))
        if name in table.columns:
            _replace(table.drop(columns=name), path)


def _add_tag(audited: Audited, name: str, folder: Path) -> None:
    """The tag as a column of the tables of the training and of the test items."""
    import pandas as pd

    id_name = audited.id_name
    for path, table in audited.train_tables.items():
        if id_name in table.columns and (folder / path).is_file():
            ids = table[id_name].astype(str)
            found = read_tags(audited.find_files(ids, "train"))
            if name in found.columns:
                _replace(table.assign(**{name: ids.map(found[name])}), folder / path)
    values = read_tags(audited.item_files)[name]
    tables = audited.test_tables or {"test.csv": pd.DataFrame({id_name: audited.sample[id_name]})}
    for path, table in tables.items():
        if path.endswith(".csv") and id_name in table.columns:
            ids = table[id_name].astype(str)
            _replace(table.assign(**{name: ids.map(values)}), folder / path)
