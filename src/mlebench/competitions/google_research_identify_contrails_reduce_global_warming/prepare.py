"""Records are folders of arrays; a part of the training records becomes the test."""

from __future__ import annotations

import json
import random
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.archives.copying import copy_file, copy_files, copy_folder
from mlebench.archives.raw import Raw
from mlebench.tables import Splitting, split_rows, write_table

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

BANDS = [f"band_{band:02}.npy" for band in range(8, 17)]
MASK = "human_pixel_masks.npy"
MASKS = ["human_individual_masks.npy", MASK]


def prepare(
    raw: Raw,
    public: Path,
    private: Path,
    *,
    with_test_metadata: bool = False,
    split: Splitting = split_rows,
) -> None:
    validation = raw / "validation_metadata.json"
    train, test = split(
        json.loads((raw / "train_metadata.json").read_text()),
        test_size=len(json.loads(validation.read_text())),
    )
    (public / "train_metadata.json").write_text(json.dumps(train), "utf-8")
    if with_test_metadata:
        test.sort(key=itemgetter("record_id"))
        (public / "test_metadata.json").write_text(json.dumps(test), "utf-8")
    copy_file(validation, public / validation.name)
    if (raw / "validation").is_dir():
        copy_folder(raw / "validation", public / "validation")
    for part, records, names in (("train", train, BANDS + MASKS), ("test", test, BANDS)):
        ids = (record["record_id"] for record in records)
        files = {f"{id}/{name}": raw / "train" / id / name for id in ids for name in names}
        copy_files(files, public / part)
    answers = answer_table([raw / "train" / record["record_id"] for record in test])
    write_table(answers, private / "answers.csv")
    guess = random.Random(0)
    guesses = [guess.choice(["1 3 10 5", "-"]) for _ in test]
    write_table(answers.assign(encoded_pixels=guesses), public / "sample_submission.csv")


def answer_table(records: list[Raw]) -> pd.DataFrame:
    """Mask and size of each record."""
    import numpy as np
    import pandas as pd

    rows = []
    for record in records:
        with (record / MASK).open() as stream:
            mask = np.lib.format.read_array(stream, allow_pickle=False)
        with (record / BANDS[0]).open() as stream:
            np.lib.format.read_magic(stream)
            height, width, *_ = np.lib.format.read_array_header_1_0(stream)[0]
        rows.append((record.name, run_lengths(mask), height, width))
    return pd.DataFrame(rows, columns=["record_id", "encoded_pixels", "height", "width"])


def run_lengths(mask: NDArray[Any]) -> str:
    """Runs of ones down the columns as `start length`, pixels counted from 1; `-` for none."""
    import numpy as np

    flat = np.concatenate([[0], mask.reshape(mask.shape[:2]).ravel(order="F") == 1, [0]])
    changes = np.flatnonzero(np.diff(flat)) + 1
    starts, ends = changes[0::2], changes[1::2]
    return " ".join(map(str, np.stack([starts, ends - starts], axis=1).ravel())) or "-"
