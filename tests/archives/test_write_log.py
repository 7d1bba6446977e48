"""Writers enter what they write in the log of the path they are given."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd
import pytest

from mlebench.archives.copying import copy_file, copy_files, zip_files, zip_member
from mlebench.archives.raw import RawFolder
from mlebench.archives.write_log import OutputPath, WriteLog, log_of
from mlebench.archives.writing import CONSTANT_NS, WHOLE_BYTES, open_output
from mlebench.system.files import sha256
from mlebench.tables import TableWriter, write_table

FRAME = pd.DataFrame({"id": [1, 2, 3], "text": ["a", 'b,"c"', None]})


@pytest.fixture
def output(tmp_path: Path) -> OutputPath:
    return OutputPath.of(tmp_path / "public", WriteLog())


def logged(path: OutputPath) -> tuple[int, str] | None:
    assert path.log is not None
    return path.log.hashes.get(str(path))


def facts(path: Path) -> tuple[int, str]:
    return path.stat().st_size, sha256(path)


def test_derived_paths_share_the_log(output: OutputPath) -> None:
    for path in (output / "a", output / Path("a/b"), output.joinpath("a", "b"), output.parent):
        assert isinstance(path, OutputPath)
        assert path.log is output.log
    assert output / "a" / "b" == Path(output, "a", "b")
    assert log_of(Path(output)) is None


def test_copied_files_are_hashed_while_written(output: OutputPath, tmp_path: Path) -> None:
    (tmp_path / "small").write_bytes(b"abc")
    (tmp_path / "large").write_bytes(os.urandom(WHOLE_BYTES + 1))
    raw = RawFolder(tmp_path)
    copy_files({"x/small": raw / "small", "large": raw / "large"}, output / "train")
    copy_file(raw / "small", output / "one" / "renamed")
    for name in ("train/x/small", "train/large", "one/renamed"):
        assert logged(output / name) == facts(output / name)


def test_tables_and_streams_are_hashed_while_written(output: OutputPath) -> None:
    write_table(FRAME, output / "table.csv")
    with TableWriter(output / "pieces.csv") as table:
        table.write(FRAME.iloc[:1])
        table.write(FRAME.iloc[1:])
    with open_output(output / "folder" / "stream.bin") as stream:
        stream.write(b"x" * 3_000_000)
        stream.write(b"y")
    for name in ("table.csv", "pieces.csv", "folder/stream.bin"):
        assert logged(output / name) == facts(output / name)
        assert (output / name).stat().st_mtime_ns == CONSTANT_NS[1]
    assert (output / "pieces.csv").read_bytes() == (output / "table.csv").read_bytes()
    assert output.log is not None
    assert output.log.rows == {str(output / n): 3 for n in ("table.csv", "pieces.csv")}


def test_members_of_archives_are_hashed_while_written(output: OutputPath) -> None:
    zip_files({"a.txt": b"abc"}, output / "whole.zip")
    with zip_member(output / "stream.zip", "a.txt") as stream:
        stream.write(b"a")
        stream.write(b"bc")
    assert output.log is not None
    whole, stream_digest = output.log.contents.values()
    assert whole == stream_digest


def test_plain_paths_get_the_same_files(output: OutputPath, tmp_path: Path) -> None:
    write_table(FRAME, output / "table.csv")
    write_table(FRAME, tmp_path / "plain" / "table.csv")
    assert (tmp_path / "plain" / "table.csv").read_bytes() == (output / "table.csv").read_bytes()


def test_a_failed_write_is_not_logged(output: OutputPath) -> None:
    with pytest.raises(RuntimeError), open_output(output / "half") as stream:
        stream.write(b"half")
        raise RuntimeError
    with pytest.raises(RuntimeError), TableWriter(output / "half.csv") as table:
        table.write(FRAME)
        raise RuntimeError
    assert logged(output / "half") is logged(output / "half.csv") is None
