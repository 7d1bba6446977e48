"""Run a module from a folder of libraries: `python3 -E start_module.py FOLDER -m MODULE …`.

With `-E` the agent's own libraries are used here, while PYTHONPATH, which names those for
solutions, stays in the environment for the commands that the agent runs. A path of a program takes
the place of `-m MODULE`.
"""

from __future__ import annotations

import runpy
import site
import sys


def main() -> None:
    folder, first, *rest = sys.argv[1:]
    sys.path.pop(0)
    known = list(sys.path)
    site.addsitedir(folder)
    sys.path[:] = [path for path in sys.path if path not in known] + known
    if first == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [first, *rest]
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    main()
