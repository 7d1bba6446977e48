"""Data of competitions: download, extract, prepare, verify."""

from mlebench.data.drop_in import (
    download_and_prepare_dataset,
    download_dataset,
    ensure_leaderboard_exists,
    generate_checksums,
    get_checksum,
    get_leaderboard,
    is_dataset_prepared,
)

__all__ = [
    "download_and_prepare_dataset",
    "download_dataset",
    "ensure_leaderboard_exists",
    "generate_checksums",
    "get_checksum",
    "get_leaderboard",
    "is_dataset_prepared",
]
