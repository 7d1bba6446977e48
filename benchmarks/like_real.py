"""Raw data of a preparation whose parts are in proportion as in the real data.

Rehearsal data of some competitions lacks what takes the time or the space of a real preparation:
long texts, many training rows, overlapping windows, large pictures. Each function changes the raw
folder of such a one.
"""

from __future__ import annotations

import io
import random
import tarfile
import zipfile
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pandas as pd


def longer_recordings(raw: Path, scale: int) -> None:
    """Recordings of some megabytes, as the real ones have a hundred, instead of 40 bytes."""
    draw = random.Random(scale)
    # As many of the validation, which both revisions copy, as on Kaggle.
    parts = [f"training{part}" for part in range(1, 5)] + [f"validation{k}" for k in range(1, 4)]
    for part, name in enumerate(parts, 1):
        with tarfile.open(raw / f"{name}.tar.gz", "w:gz", compresslevel=1) as archive:
            for number in range(100 * part, 100 * part + max(2, scale // 8)):
                content = io.BytesIO()
                with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
                    for kind in ("audio.wav", "color.mp4", "depth.mp4", "user.mp4"):
                        packed.writestr(f"Sample{number:05d}_{kind}", draw.randbytes(1 << 20))
                entry = tarfile.TarInfo(f"Sample{number:05d}.zip")
                entry.size = content.tell()
                content.seek(0)
                archive.addfile(entry, content)
    numbers = range(100, 500 + scale)
    rows = "".join(f"{number:04d},1 2 3\n" for number in numbers)
    (raw / "training.csv").write_text("Id,Sequence\n" + rows, "utf-8")


def utterances(raw: Path, scale: int) -> None:
    """Frames of utterances of 300, whose windows overlap; in rehearsal data none does."""
    draw, rows = np.random.default_rng(scale), []
    for _ in range(scale):
        frames = draw.normal(size=(300, 39)).astype(np.float32)
        window = np.clip(np.arange(300)[:, None] + np.arange(-5, 6), 0, 299)
        rows.append(frames[window].reshape(300, -1))
    folder, data = raw / "timit_11" / "timit_11", np.concatenate(rows)
    np.save(folder / "train_11.npy", data)
    np.save(folder / "train_label_11.npy", draw.integers(0, 39, len(data)).astype(str))
    np.save(folder / "test_11.npy", data[: len(data) * 4 // 11])


def more_comments(raw: Path, scale: int) -> None:
    """Nineteen training comments for each one of the test; rehearsal data has a third of one."""
    repeat_rows(raw / "train.csv", 50)


def more_purchases(raw: Path, scale: int) -> None:
    """Some twenty purchases of each customer before the test week, and pictures that are nine
    tenths of all data; rehearsal data has seven purchases, and less than a kilobyte a picture."""
    table = raw / "transactions_train.csv"
    header, *rows = table.read_bytes().splitlines(keepends=True)
    last = max(row.partition(b",")[0] for row in rows).decode()
    first_test_day = (date.fromisoformat(last) - timedelta(days=7)).isoformat().encode()
    earlier = b"".join(row for row in rows if row.partition(b",")[0] < first_test_day)
    table.write_bytes(header + 3 * earlier + b"".join(rows))
    pictures = sorted((raw / "images").rglob("*.jpg"))
    for picture in pictures:
        picture.write_bytes(
            random.Random(scale).randbytes(9 * table.stat().st_size // len(pictures))
        )


def more_couplings(raw: Path, scale: int) -> None:
    """Three couplings for each atom of a molecule; rehearsal data has less than one."""
    table = pd.read_csv(raw / "train.csv", dtype=str)
    more = pd.concat([table] * 4).assign(id=range(4 * len(table)))
    more.to_csv(raw / "train.csv", index=False)
    repeat_rows(raw / "scalar_coupling_contributions.csv", 4)


def larger_pictures(raw: Path, scale: int) -> None:
    """Pictures of 30 kB, as the real ones have ten times that, instead of less than one."""
    draw, packed = random.Random(scale), raw / "train_val2019.tar.gz"
    with tarfile.open(packed) as archive:
        names = archive.getnames()
    with tarfile.open(packed, "w:gz", compresslevel=1) as archive:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size = 30_000
            archive.addfile(entry, io.BytesIO(draw.randbytes(entry.size)))


def longer_questions(raw: Path, scale: int) -> None:
    """Questions of more than a thousand letters; those of rehearsal data have two hundred."""
    with zipfile.ZipFile(raw / "Train.zip") as archive:
        questions = pd.read_csv(archive.open("Train.csv"), dtype=str, na_filter=False)
    questions["Body"] = questions["Body"].map(lambda text: " ".join([text] * 8))
    with zipfile.ZipFile(raw / "Train.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Train.csv", questions.to_csv(index=False))


def repeat_rows(table: Path, times: int) -> None:
    header, _, rows = table.read_bytes().partition(b"\n")
    table.write_bytes(header + b"\n" + rows * times)


LIKE_REAL: dict[str, Callable[[Path, int], None]] = {
    "champs-scalar-coupling": more_couplings,
    "facebook-recruiting-iii-keyword-extraction": longer_questions,
    "h-and-m-personalized-fashion-recommendations": more_purchases,
    "inaturalist-2019-fgvc6": larger_pictures,
    "jigsaw-unintended-bias-in-toxicity-classification": more_comments,
    "ml2021spring-hw2": utterances,
    "multi-modal-gesture-recognition": longer_recordings,
}
"""Where rehearsal data lacks what takes the time or the space of a real preparation."""
