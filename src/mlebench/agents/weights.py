"""Find model weights among the files that an agent is given."""

from __future__ import annotations

import os
from pathlib import Path

from mlebench.agents.base import AgentPackage
from mlebench.records.weights import WeightFile, WeightsRecord
from mlebench.system.files import sha256

SUFFIXES = {".safetensors", ".pth", ".pt", ".ckpt", ".onnx", ".gguf", ".tflite", ".pdparams", ".h5"}
SUFFIXES |= {".keras", ".caffemodel", ".mlmodel", ".bin"}
OWN_SUFFIXES = SUFFIXES | {".npz", ".pkl", ".joblib"}
"""Those in the agent's own folder; in libraries, files of the added kinds are tables."""

TESTS = {"tests", "test", "testing"}
MIN_BYTES = 1 << 20
"""Smaller files of these kinds are tables and tests of libraries."""

MAX_FILES = 200


def find_weights(agent: AgentPackage, packages: Path | None) -> WeightsRecord:
    """Weights in the agent's libraries and in its own folder, with their hashes."""
    found = []
    if packages is not None:
        found += _below(packages, "/opt/packages")
    for file in agent.files():
        if file.suffix.lower() in OWN_SUFFIXES and _is_large(file):
            found.append((file, f"/opt/agent/{file.relative_to(agent.mounted).as_posix()}"))
    files = [WeightFile(place, file.stat().st_size, sha256(file)) for file, place in found]
    return WeightsRecord(tuple(files[:MAX_FILES]))


def _below(folder: Path, place: str) -> list[tuple[Path, str]]:
    found = []
    for home, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in TESTS)
        for name in sorted(names):
            file = Path(home) / name
            if file.suffix.lower() in SUFFIXES and _is_large(file):
                found.append((file, f"{place}/{file.relative_to(folder).as_posix()}"))
    return found


def _is_large(file: Path) -> bool:
    return file.is_file() and file.stat().st_size >= MIN_BYTES
