"""Revision v1.1: the base-pair probabilities are public, as on Kaggle."""

import json
from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.competitions.stanford_covid_vaccine.prepare import prepare as prepare_v1
from mlebench.revision import Changes, Fix


def prepare(raw: Raw, public: Path, private: Path) -> None:
    prepare_v1(raw, public, private)
    names = []
    for part in ("train.json", "test.json"):
        with (public / part).open(encoding="utf-8") as lines:
            names += [f"bpps/{json.loads(line)['id']}.npy" for line in lines]
    copy_files({name: raw / name for name in names if (raw / name).is_file()}, public)


changes = Changes(
    fixes=(
        Fix(
            "the base-pair probabilities, which everybody used, are left out",
            "bpps/ has a file for each molecule of train and test",
        ),
    ),
    comparability="near",
    note="`bpps/<id>.npy` is the matrix of base-pair probabilities of a molecule.",
    prepare=prepare,
)
