"""Rehearsal data. Phrases of film reviews, tab-separated, quotes and missing-value words in the text."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng, words, write_text, write_zip


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "phrases")

    def rows(start, n, labelled):
        out, sentence = [], start // 20
        for i in range(n):
            sentence += r.random() < 0.15
            t = words(r, r.randrange(1, 12))
            t = r.choice(
                [
                    t,
                    t,
                    t + " , " + words(r, 2),
                    "`` " + t + " ''",
                    "",
                    '"' + t,
                    t + ' " x',
                    "None",
                    "null",
                    "nan",
                    "é" + t,
                    " ",
                    "42",
                    "-LRB- " + t + " -RRB-",
                    t + " 's",
                ]
            )
            out.append(
                "\t".join(
                    [str(start + i), str(sentence), quote(t)]
                    + ([str(r.choice([0, 1, 1, 2, 2, 2, 2, 3, 3, 4]))] if labelled else [])
                )
            )
        return out

    def quote(t):  # Kaggle's file quotes a phrase only where it holds a quote character
        return '"' + t.replace('"', '""') + '"' if '"' in t else t

    train = ["PhraseId\tSentenceId\tPhrase\tSentiment", *rows(1, 220 * scale, True)]
    test = ["PhraseId\tSentenceId\tPhrase", *rows(156061, 12, False)]
    write_zip(raw / "train.tsv.zip", {"train.tsv": ("\n".join(train) + "\n").encode()})
    write_zip(raw / "test.tsv.zip", {"test.tsv": ("\n".join(test) + "\n").encode()})
    write_text(
        raw / "sampleSubmission.csv",
        csv_text(["PhraseId", "Sentiment"], ((i, 2) for i in range(156061, 156073))),
    )
