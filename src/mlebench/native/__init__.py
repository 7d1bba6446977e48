"""C kernels for computations that take too long with libraries.

Only grading uses them. They receive arrays that our own code has made: no kernel reads the text of
a submission.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.ctypeslib import ndpointer

from mlebench.errors import UsageError
from mlebench.native import build

SIZE, FLOAT = ctypes.c_int64, ctypes.c_double
INTS, FLOATS = (ndpointer(np.dtype(kind), flags="C_CONTIGUOUS") for kind in (np.int64, np.float64))
"""The types of arguments."""


def kernel(name: str, *arguments: Any, returns: Any = SIZE) -> Callable[..., Any]:
    """A function of the library, looked up at its first call; it releases the GIL."""

    @cache
    def found() -> Any:
        function = library()[name]
        function.argtypes, function.restype = arguments, returns
        return function

    return lambda *values: found()(*values)


@cache
def library() -> ctypes.CDLL:
    """The compiled kernels; compiled now if the package runs from its sources."""
    import platformdirs

    shipped = Path(__file__).parent / build.file_name()
    made = Path(platformdirs.user_cache_dir()) / "mle-bench" / "native" / shipped.name
    try:
        path = next((path for path in (shipped, made) if path.is_file()), None)
        return ctypes.CDLL(str(path or build.compile_into(made.parent)))
    except OSError as error:
        raise UsageError(f"the compiled part of mlebench cannot be loaded: {error}") from error
