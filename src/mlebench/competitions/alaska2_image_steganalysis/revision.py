"""Revision v1.1: which version of a test image is published depends on what stays secret."""

from functools import partial

from mlebench.archives.raw import Raw
from mlebench.competitions.alaska2_image_steganalysis.competition import (
    CLEAN,
    HIDDEN,
    prepare_versions,
)
from mlebench.recipes.hashes import hash_of, hash_of_file, in_hash_order
from mlebench.revision import Changes, Fix


def choose_by_hash(raw: Raw, names: list[str]) -> list[Raw]:
    """One version of each image, drawn by the hash of all four, of which one is published."""
    return in_hash_order(choose_version(raw, name) for name in names)


def choose_version(raw: Raw, name: str) -> Raw:
    versions = [raw / folder / name for folder in (CLEAN, *HIDDEN)]
    number = int.from_bytes(hash_of("version", *map(hash_of_file, versions)), "big")
    is_clean, kind = number % 2, number // 2 % len(HIDDEN)
    return versions[0] if is_clean else versions[1 + kind]


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
)
