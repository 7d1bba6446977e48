"""Rehearsal data. Russian tokens and their spoken form, in zipped CSVs with every text quoted."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from mlebench.rehearsal import rng, write_zip

PLAIN = [
    "Производится",
    "в",
    "Азии",
    "по",
    "данным",
    "Юго-Восточной",
    "переписи",
    "года",
    "составляет",
    "население",
    "района",
    "он",
    "был",
    "назначен",
]


def quoted(header, rows) -> bytes:
    out = io.StringIO()
    w = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    w.writerow(header)
    w.writerows(rows)
    return out.getvalue().encode("utf-8")


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "tokens")

    def token():
        k = r.random()
        if k < 0.55:
            w = r.choice(PLAIN)
            return "PLAIN", w, w
        if k < 0.72:
            p = r.choice([",", ".", '"', "«", "»", "—", "(", ")"])
            return "PUNCT", p, p
        if k < 0.80:
            d = r.randrange(1900, 2020)
            return "DATE", f"{d} года", f"тысяча девятьсот {d % 100} года"
        if k < 0.88:
            n = r.randrange(100)
            return (
                "CARDINAL",
                str(n),
                r.choice(["один", "двадцать пять", "сто, может быть", str(n)]),
            )
        if k < 0.92:
            return "LETTERS", "США", "с ш а"
        if k < 0.95:
            return (
                "VERBATIM",
                r.choice(["№", "_", '""', "/"]),
                r.choice(["номер", "_", 'кавычка "', "косая черта"]),
            )
        if k < 0.985:
            w = r.choice(
                ["NA", "null", "None", "nan"]
            )  # words that a CSV reader takes for missing values
            return "PLAIN", w, r.choice([w, "н_trans а_trans"])
        return (
            "ELECTRONIC",
            r.choice(["1.0", "007", "1e5", "Julius"]),
            r.choice(["1.0", "007", "д_trans ж_trans"]),
        )

    def sentences(n, start, labelled):
        rows = []
        for s in range(start, start + n):
            for t in range(r.randrange(3, 12)):
                c, b, a = token()
                rows.append((s, t, c, b, a) if labelled else (s, t, b))
        return rows

    train = sentences(130 * scale, 0, True)
    test, test2 = sentences(4, 0, False), sentences(5, 0, False)
    put = lambda name, head, rows: write_zip(raw / f"{name}.zip", {name: quoted(head, rows)})
    put("ru_train.csv", ["sentence_id", "token_id", "class", "before", "after"], train)
    for name, sample, rows in (
        ("ru_test.csv", "ru_sample_submission.csv", test),
        ("ru_test_2.csv", "ru_sample_submission_2.csv", test2),
    ):
        put(name, ["sentence_id", "token_id", "before"], rows)
        put(sample, ["id", "after"], [(f"{s}_{t}", b) for s, t, b in rows])
