"""Download public kernels with the user's account, to compare the code of runs with them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from mlebench.errors import DataError
from mlebench.kaggle.client import KaggleClient, Kernel, log_in
from mlebench.system.files import write_atomically

PAGE = 50
UNSAFE = re.compile(r"[^\w.-]")


def fetch_kernels(
    competition_id: str,
    folder: Path,
    *,
    count: int = PAGE,
    on_note: Callable[[str], None] = lambda text: None,
) -> list[Path]:
    """Store the kernels with most votes as `<folder>/<competition>/<owner>.<slug>.py` or `.ipynb`.

    Those that exist already are not downloaded again. A kernel that Kaggle refuses is
    left out with a note.
    """
    client = log_in()
    place = folder / competition_id
    place.mkdir(parents=True, exist_ok=True)
    stored = {file.stem: file for file in place.iterdir()}
    found: list[Path] = []
    for kernel in _list(client, competition_id, count):
        name = UNSAFE.sub("_", f"{kernel.owner}.{kernel.slug}")
        if name in stored:
            found.append(stored[name])
            continue
        try:
            source, is_notebook = client.kernel_source(kernel)
        except DataError as error:
            on_note(f"{kernel.owner}/{kernel.slug} is left out: {error}")
            continue
        file = place / f"{name}{'.ipynb' if is_notebook else '.py'}"
        write_atomically(file, source.encode("utf-8", "replace"))
        found.append(file)
    return found


def _list(client: KaggleClient, competition_id: str, count: int) -> list[Kernel]:
    kernels: list[Kernel] = []
    for page in range(1, count // PAGE + 2):
        size = min(PAGE, count)
        new = client.kernels(competition_id, count=size, page=page)
        kernels += [kernel for kernel in new if kernel not in kernels]
        if len(kernels) >= count or len(new) < size:
            break
    return kernels[:count]
