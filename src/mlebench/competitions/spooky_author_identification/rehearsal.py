"""Rehearsal data. Sentences of three horror writers: fully quoted CSV inside a zip, probabilities per author."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, words, write_zip

AUTHORS = ["EAP", "HPL", "MWS"]


def quoted(header: list[str], rows) -> bytes:
    """Kaggle's files here quote every cell."""
    line = lambda cells: ",".join('"' + str(c).replace('"', '""') + '"' for c in cells) + "\n"
    return "".join(map(line, [header, *rows])).encode()


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "sentences")
    extras = [
        "; but",
        ', "said he,"',
        " naïveté",
        " Æsop’s",
        " --",
        " 'Tis",
        " \U0001f480",
        " e, f",
        "?",
    ]
    ids = r.sample(range(1, 28000), 230 * scale)
    text = lambda: (
        (words(r, r.randrange(3, 14)) + r.choice(extras) + " " + words(r, 3)).capitalize() + "."
    )
    rows = [[f"id{i:05d}", text(), r.choices(AUTHORS, [4, 3, 3])[0]] for i in ids[: 200 * scale]]
    test = [[f"id{i:05d}", text()] for i in ids[200 * scale :]]
    write_zip(raw / "train.zip", {"train.csv": quoted(["id", "text", "author"], rows)})
    write_zip(raw / "test.zip", {"test.csv": quoted(["id", "text"], test)})
    write_zip(
        raw / "sample_submission.zip",
        {
            "sample_submission.csv": quoted(
                ["id", *AUTHORS],
                ([i, 0.403493538995863, 0.287808366106543, 0.308698094897594] for i, _ in test),
            )
        },
    )
