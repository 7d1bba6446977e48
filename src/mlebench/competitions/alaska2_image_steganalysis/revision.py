"""Revision v1.1: which version of a test image is published depends on what stays secret."""

from functools import partial

from mlebench.archives.raw import Raw
from mlebench.competitions.alaska2_image_steganalysis.competition import (
    CLEAN,
    HIDDEN,
    prepare_versions,
)
from mlebench.recipes.hashes import hash_of, hash_of_file
from mlebench.revision import Changes, Fix


def choose_by_hash(raw: Raw, names: list[str]) -> list[Raw]:
    """One version of each image, drawn by the hash of all four, of which one is published."""
    chosen = [choose_version(raw, name) for name in names]
    return [file for _, file in sorted(chosen, key=lambda pair: (pair[0], hash_of(pair[1].path)))]


def choose_version(raw: Raw, name: str) -> tuple[bytes, Raw]:
    """A version of an image, sorted by the hash of its content."""
    versions = [raw / folder / name for folder in (CLEAN, *HIDDEN)]
    hashes = [hash_of_file(version) for version in versions]
    number = int.from_bytes(hash_of("version", *hashes), "big")
    is_clean, kind = number % 2, number // 2 % len(HIDDEN)
    place = 0 if is_clean else 1 + kind
    return hashes[place], versions[place]


changes = Changes(
    fixes=(
        Fix(
            "whether a test image hides a message is a draw of a generator with a public seed, so"
            " all labels follow without looking at an image",
            "the version is drawn by a hash over all four versions, of which one is published,"
            " and the images are numbered in the order of the hashes of their bytes",
        ),
    ),
    comparability="new",
    prepare=partial(prepare_versions, choose_by_hash),
    flags=("crowded board: 19 % of the teams have the score of one public baseline",),
    passages={
        "A CSV with two columns (others are ignored),": (
            "A CSV with two columns (others are refused),"
        ),
    },
)
