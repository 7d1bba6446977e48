"""RNA molecules with measurements per base; the test part is drawn among the good measurements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.archives.raw import Raw, text_stream
from mlebench.archives.writing import open_output
from mlebench.tables import write_table

if TYPE_CHECKING:
    import pandas as pd

TARGETS = ("reactivity", "deg_Mg_pH10", "deg_pH10", "deg_Mg_50C", "deg_50C")
TEN_DECIMALS = "%.10f"


def prepare(raw: Raw, public: Path, private: Path) -> list[str]:
    """Write all files, and return the ids of all molecules."""
    import pandas as pd

    with (raw / "train.json").open() as stream:
        molecules = pd.read_json(stream, lines=True)
    good = molecules[molecules["SN_filter"] > 0]
    drawn = good.sample(n=int(len(molecules) * 0.1), random_state=0)
    is_test = molecules.index.isin(drawn.index)
    train, test = molecules[~is_test], molecules[is_test]
    write_json_rows(train.assign(index=range(len(train))), public / "train.json")
    with text_stream(raw / "test.json") as lines:
        names = list(json.loads(next(lines)))
    write_json_rows(test.assign(index=range(len(test)))[names], public / "test.json")
    answers = row_per_base(test)
    write_table(answers, private / "test.csv", float_format=TEN_DECIMALS)
    sample = answers.drop(columns="keep").assign(**dict.fromkeys(TARGETS, 0.0))
    write_table(sample, public / "sample_submission.csv", float_format=TEN_DECIMALS)
    return list(molecules["id"])


def write_json_rows(frame: pd.DataFrame, path: Path) -> None:
    """A JSON object per line, floats rounded to ten decimals."""
    with open_output(path) as stream:
        frame.to_json(stream, mode="w", orient="records", lines=True)


def row_per_base(molecules: pd.DataFrame) -> pd.DataFrame:
    """The measurements of all bases; those after the measured part are 0 and are not kept."""
    import numpy as np
    import pandas as pd

    tables = []
    for molecule in molecules.to_dict("records"):
        length, scored = molecule["seq_length"], molecule["seq_scored"]
        rows: dict[str, Any] = {
            "id_seqpos": [f"{molecule['id']}_{position}" for position in range(length)]
        }
        for target in TARGETS:
            rows[target] = np.pad(np.array(molecule[target], dtype=float), (0, length - scored))
        tables.append(pd.DataFrame({**rows, "keep": np.arange(length) < scored}))
    return pd.concat(tables)
