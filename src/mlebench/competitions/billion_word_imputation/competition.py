"""Billion Word Imputation: the one word that a sentence has lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from mlebench.archives.copying import zip_files, zip_member
from mlebench.archives.raw import Raw, text_stream
from mlebench.archives.unpacking import unpacked
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.values import texts_without_gaps
from mlebench.metrics import mean_levenshtein_distance

TEST_SHARE = 0.01
HEADER = '"id","sentence"\n'
ARCHIVE = "train_v2.txt.zip"
LostWord: TypeAlias = "Callable[[str], int | None]"
"""Which word of a sentence is lost; None if the sentence is for training."""


def lose_by_seed(archive: Raw) -> LostWord:
    import numpy as np

    # One generator decides both which sentences and which words, so the order of draws matters.
    draw = np.random.RandomState(0)

    def lost_word(line: str) -> int | None:
        if draw.random_sample() > TEST_SHARE or (count := len(line.split())) <= 2:
            return None
        return int(draw.randint(1, count - 1))

    return lost_word


def prepare(
    raw: Raw, public: Path, private: Path, *, lose: Callable[[Raw], LostWord] = lose_by_seed
) -> None:
    """One pass over thirty million sentences; about one in a hundred goes to the test set."""
    lost_word = lose(raw / ARCHIVE)
    whole, shortened = [HEADER], [HEADER]
    with (
        unpacked(raw / ARCHIVE) as content,
        text_stream(content / "train_v2.txt") as lines,
        zip_member(public / ARCHIVE, "train_v2.txt") as train,
    ):
        for line in lines:
            lost = lost_word(line)
            if lost is None:
                train.write(line.encode())
                continue
            sentence = line.strip().replace('"', '""')
            words = sentence.split()
            del words[lost]
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
