"""Synthetic files for rehearsal data: the same bytes for the same seed."""

from mlebench.rehearsal.synthetic import (
    blob,
    csv_text,
    hex_id,
    jpeg,
    png,
    rng,
    wav,
    words,
    write_7z,
    write_bytes,
    write_csv,
    write_text,
    write_tgz,
    write_zip,
    zip_bytes,
)

__all__ = [
    "blob",
    "csv_text",
    "hex_id",
    "jpeg",
    "png",
    "rng",
    "wav",
    "words",
    "write_7z",
    "write_bytes",
    "write_csv",
    "write_text",
    "write_tgz",
    "write_zip",
    "zip_bytes",
]
