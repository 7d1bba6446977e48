"""The labelled recordings, renumbered and split; every text file uses the new numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import copy_file, copy_files
from mlebench.archives.raw import Raw, text_stream
from mlebench.archives.unpacking import unpacked
from mlebench.tables import read_table, write_table

if TYPE_CHECKING:
    import pandas as pd

SPECIES = 19
SUPPLEMENT = "supplemental_data"
FOLDS = "CVfolds_2.txt"
NAMES = "rec_id2filename.txt"
LABELS = "rec_labels_test_hidden.txt"
SEGMENT_TEXTS = ("histogram_of_segments.txt", "segment_features.txt", "segment_rectangles.txt")
EXAMPLES = "segmentation_examples"
PICTURES = ("filtered_spectrograms", "spectrograms", "supervised_segmentation")


def prepare(raw: Raw, public: Path, private: Path, *, with_own_headers: bool = False) -> None:
    """Write all files.

    Args:
        with_own_headers: whether texts about segments keep the header lines of their sources; the
            published preparation writes that of the histograms to all three.
    """
    with unpacked(raw / "mlsp_contest_dataset.zip") as content:
        source = content / "mlsp_contest_dataset"
        essential, target = source / "essential_data", public / "essential_data"
        kept, folds = draw_folds(read_table(essential / FOLDS))
        test = set(folds["rec_id"][folds["fold"] == 1])
        names = dict(renumbered(essential / NAMES, kept))
        labels = dict(renumbered(essential / LABELS, kept))
        hidden = {number: "?" if number in test else labels[number] for number in labels}
        write_table(folds, target / FOLDS)
        write_lines("rec_id,filename", names.items(), target / NAMES)
        write_lines("rec_id,[labels]", hidden.items(), target / LABELS)
        copy_file(essential / "species_list.txt", target / "species_list.txt")
        copy_recordings(essential, target, ("src_wavs",), [f"{n}.wav" for n in names.values()])
        copy_supplement(source, public, [f"{name}.bmp" for name in names.values()])
        write_segments(source, public, kept, with_own_headers=with_own_headers)
    answers = {number: labels[number] for number in labels if number in test}
    write_table(species_table(answers), private / "answers.csv")
    write_table(species_table(dict.fromkeys(sorted(test), "")), public / "sample_submission.csv")


def draw_folds(folds: pd.DataFrame) -> tuple[dict[int, int], pd.DataFrame]:
    """New numbers by old ones of the labelled recordings, and their folds with a fifth as test."""
    labelled = folds[folds["fold"] == 0]
    kept = {old: new for new, old in enumerate(labelled["rec_id"])}
    drawn = labelled.assign(rec_id=range(len(labelled))).reset_index(drop=True)
    drawn.loc[drawn.sample(frac=0.2, random_state=0).index, "fold"] = 1
    return kept, drawn


def renumbered(file: Raw, kept: Mapping[int, int]) -> Iterator[tuple[int, str]]:
    """New number of the recording and the rest of each line, for the kept recordings."""
    with text_stream(file) as lines:
        next(lines)
        for line in lines:
            old, _, rest = line.rstrip("\n").partition(",")
            if old and int(old) in kept:
                yield kept[int(old)], rest


def write_lines(header: str, lines: Iterable[tuple[int, str]], target: Path) -> None:
    """The header, then the number and the rest, if any, of each line."""
    with target.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(f"{header}\n")
        stream.writelines(f"{number},{rest}\n" if rest else f"{number}\n" for number, rest in lines)


def copy_supplement(source: Raw, public: Path, names: Iterable[str]) -> None:
    """Pictures of the kept recordings."""
    supplement, target = source / SUPPLEMENT, public / SUPPLEMENT
    copy_recordings(supplement, target, PICTURES, names)
    examples = {file.name for file in (supplement / EXAMPLES).files()}
    copy_recordings(supplement, target, (EXAMPLES,), examples.intersection(names))
    for name in ("segment_clusters.bmp", "segment_mosaic.bmp"):
        copy_file(supplement / name, target / name)


def write_segments(
    source: Raw, public: Path, kept: Mapping[int, int], *, with_own_headers: bool
) -> None:
    """The tables about segments of the kept recordings."""
    for name in SEGMENT_TEXTS:
        file, header = source / SUPPLEMENT / name, "rec_id,[histogram of segment features]"
        if with_own_headers:
            with text_stream(file) as lines:
                header = next(lines).rstrip("\n")
        write_lines(header, renumbered(file, kept), public / SUPPLEMENT / name)


def copy_recordings(
    source: Raw, target: Path, folders: Iterable[str], names: Iterable[str]
) -> None:
    """The files of these names in each of the folders."""
    for folder in folders:
        copy_files({name: source / folder / name for name in names}, target / folder)


def species_table(labels: Mapping[int, str]) -> pd.DataFrame:
    """A row per recording and species, `Probability` 1 for the species among its labels."""
    import pandas as pd

    rows = [
        (number * 100 + species, int(str(species) in label.split(",")))
        for number, label in labels.items()
        for species in range(SPECIES)
    ]
    return pd.DataFrame(rows, columns=["Id", "Probability"])
