"""Billion Word Imputation: the one word that a sentence has lost."""

from __future__ import annotations

from pathlib import Path

from mlebench.archives.copying import zip_files, zip_member
from mlebench.archives.raw import Raw, text_stream
from mlebench.archives.unpacking import unpacked
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.values import texts_without_gaps
from mlebench.metrics import mean_levenshtein_distance

TEST_SHARE = 0.01
HEADER = '"id","sentence"\n'


def prepare(raw: Raw, public: Path, private: Path) -> None:
    """One pass over thirty million sentences; about one in a hundred goes to the test set."""
    import numpy as np

    # One generator decides both which sentences and which words, so the order of draws matters.
    draw = np.random.RandomState(0)
    whole, shortened = [HEADER], [HEADER]
    with (
        unpacked(raw / "train_v2.txt.zip") as content,
        text_stream(content / "train_v2.txt") as lines,
        zip_member(public / "train_v2.txt.zip", "train_v2.txt") as train,
    ):
        for line in lines:
            if draw.random_sample() > TEST_SHARE or len(line.split()) <= 2:
                train.write(line.encode())
                continue
            sentence = line.strip().replace('"', '""')
            words = sentence.split()
            del words[draw.randint(1, len(words) - 1)]
            row = len(whole) - 1
            whole.append(f'{row},"{sentence}"\n')
            shortened.append(f'{row},"{" ".join(words)}"\n')
    test = "".join(shortened).encode()
    zip_files({"test_v2.txt": test}, public / "test_v2.txt.zip")
    (private / "test.csv").write_bytes("".join(whole).encode())
    (private / "sample_submission.csv").write_bytes(test)


competition = CompetitionDefinition(
    id="billion-word-imputation",
    title="Billion Word Imputation",
    category="Seq->Seq",
    complexity="medium",
    prepare=prepare,
    submission=TextPerId(id="id", target="sentence", values=texts_without_gaps),
    metric=mean_levenshtein_distance,
    sample_submission="private/sample_submission.csv",
    official_sample_score=5.56118,
    faults=(Fault("the sample submission is in the private folder only"),),
)
