"""Check that groups of items, as of one patient, are either in train or in test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mlebench.audit.audited import Audited
from mlebench.audit.fields import TABLES
from mlebench.audit.record import Observation

if TYPE_CHECKING:
    import pandas as pd

FEW_GROUPS, MOST_GROUPS = 5, 0.9
GROUP = re.compile(
    r"(?i)^(\w+_)?(patient|speaker|subject|person|user|location|site|sentence|session|recording|"
    r"slide|question|author|player|utterance|donor|animal|family|household|customer|client|store|"
    r"hospital|study)_?(id|uid|name|key)?$"
)
KEPT_APART = {
    "siim-isic-melanoma-classification": ("patient_id",),
    "ranzcr-clip-catheter-line-classification": ("PatientID",),
    "hms-harmful-brain-activity-classification": ("patient_id",),
    "movie-review-sentiment-analysis-kernels-only": ("SentenceId",),
    "rsna-breast-cancer-detection": ("patient_id",),
}
"""Columns whose values Kaggle's own test did not share with train."""


def check_groups(audited: Audited) -> Iterator[Observation]:
    """Patients, speakers and the like are either in train or in test."""
    found = []
    # Rehearsal data draws the fields of containers independently of the tables.
    kinds = TABLES if not audited.has_own_board else ("",)
    tests, trains = (
        {path: table for path, table in tables.items() if path.endswith(kinds)}
        for tables in (audited.test_parts, audited.train_tables)
    )
    for path, test in tests.items():
        for train_path, train in trains.items():
            for column in test.columns:
                if column not in train.columns or column in (audited.id_name, *audited.targets):
                    continue
                apart = KEPT_APART.get(audited.competition.id, ())
                if column in apart or (GROUP.search(str(column)) and _is_grouping(train[column])):
                    name = f"{column!r} of {train_path} and {path}"
                    found.append(
                        _compare(name, train[column], test[column], is_fault=column in apart)
                    )
    found += _shared_clusters(audited)
    nothing = Observation("not applicable", "both parts have no column that names a group")
    yield from found or [nothing]


def _shared_clusters(audited: Audited) -> Iterator[Observation]:
    """Clusters that a competition from outside the package declares for its standard error."""
    clusters = audited.competition.definition.clusters
    is_published = bool(audited.competition.load_checksums())
    if clusters is None or is_published or clusters.column not in audited.answers.columns:
        return
    tested = clusters.names(audited.answers)
    for path, train in audited.train_tables.items():
        if clusters.column in train.columns and _is_grouping(known := clusters.names(train)):
            name = f"each {clusters.unit} of {path} and of the answers"
            yield _compare(name, known, tested, is_fault=True)


def _is_grouping(values: pd.Series) -> bool:
    return FEW_GROUPS <= values.nunique() <= len(values) * MOST_GROUPS


def _compare(name: str, train: pd.Series, test: pd.Series, *, is_fault: bool) -> Observation:
    groups = set(test.dropna().astype(str))
    shared = groups & set(train.dropna().astype(str))
    if not shared:
        return Observation("pass", f"{name}: no group is in both parts", 0, 0)
    text = f"{name}: {len(shared)} of {len(groups)} groups are in both parts"
    return Observation("fail" if is_fault else "warn", text, len(shared) / len(groups), 0)
