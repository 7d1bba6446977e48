"""TFRecord files of `tf.train.Example` records, without TensorFlow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mlebench.archives.tfrecords import field, frame_record, varint


def tfrecords(examples: Iterable[Mapping[str, Any]]) -> bytes:
    """A TFRecord file of examples with bytes and integer features."""
    return b"".join(frame_record(_example(example)) for example in examples)


def _example(features: Mapping[str, Any]) -> bytes:
    entries = b""
    for key, value in features.items():
        if isinstance(value, bytes):
            feature = field(1, field(1, value))
        else:
            feature = field(3, field(1, varint(value)))
        entries += field(1, field(1, key.encode()) + field(2, feature))
    return field(1, entries)
