"""Six million questions, shuffled and split without ever holding more than a part of them."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.reordering import reordered
from mlebench.tables import TableWriter, read_pieces, split_positions

COMMON_TAGS = "javascript c# python php java"


def prepare(raw: Raw, public: Path, private: Path) -> None:
    with (
        unpacked(raw / "Train.zip") as content,
        TableWriter(public / "train.csv") as train,
        TableWriter(public / "test.csv") as test,
        TableWriter(public / "sample_submission.csv") as sample,
        TableWriter(private / "test.csv") as answers,
    ):
        source = content / "Train.csv"
        count = sum(len(piece) for piece in read_pieces(source, usecols=["Id"], dtype=str))
        train_rows, test_rows = split_positions(count, test_size=0.1)
        left = len(train_rows)
        pieces = read_pieces(source, dtype=str)
        for piece in reordered(pieces, [*train_rows, *test_rows], raw.scratch):
            for_train, for_test = piece.iloc[:left], piece.iloc[left:]
            left -= len(for_train)
            train.write(for_train)
            answers.write(for_test)
            test.write(for_test.drop(columns="Tags"))
            sample.write(for_test.assign(Tags=COMMON_TAGS))
