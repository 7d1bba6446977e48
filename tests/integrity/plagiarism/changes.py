"""Seeded generators: programs, and programs changed as a person changes what he copies."""

from __future__ import annotations

import ast
import io
import json
import random
import subprocess
import sys
import tokenize
from collections.abc import Callable, Iterator
from keyword import iskeyword
from pathlib import Path
from zlib import crc32

import numpy as np

import mlebench
from mlebench.integrity.plagiarism.tokens import find_tokenizer

PACKAGE = Path(mlebench.__file__).parent
PIPELINES = sorted((Path(__file__).parent / "pipelines").glob("*.py"))
KEPT_NAMES = {"match", "case", "type", "_", "print", "exec"}


def package_files(least: int = 80, most: int = 260) -> list[Path]:
    """A fifth of the package's files of this length; a new file does not change the choice."""
    return [
        file
        for file in sorted(PACKAGE.rglob("*.py"))
        if crc32(str(file.relative_to(PACKAGE)).encode()) % 5 == 0
        and least <= file.read_text("utf-8").count("\n") <= most
        and "competitions" not in file.parts
    ]


def rename_all(code: str, rng: random.Random) -> str:
    """Another name for every name, consistently."""
    names: dict[str, str] = {}

    def renamed(token: tokenize.TokenInfo) -> str:
        if token.type != tokenize.NAME or iskeyword(token.string) or token.string in KEPT_NAMES:
            return token.string
        fresh = f"{rng.choice('abcdefgh')}{len(names)}_{rng.randrange(1000)}"
        return names.setdefault(token.string, fresh)

    return _edited(code, renamed)


def retype_literals(code: str, rng: random.Random) -> str:
    """Other numbers and strings."""

    def retyped(token: tokenize.TokenInfo) -> str:
        if token.type == tokenize.NUMBER and token.string.isdigit():
            return str(rng.randrange(1, 9999))
        if token.type == tokenize.NUMBER and "." in token.string and "e" not in token.string:
            return f"{rng.random() + 1:.3f}"
        plain = token.type == tokenize.STRING and token.string[0] in "'\""
        if plain and not token.string.startswith(('"""', "'''")) and len(token.string) > 2:
            return repr("".join(rng.choices("abcdefg xyz", k=rng.randrange(2, 30))))
        return token.string

    return _edited(code, retyped)


def _edited(code: str, change: Callable[[tokenize.TokenInfo], str]) -> str:
    """The code with some tokens replaced and its layout kept."""
    lines = code.splitlines(keepends=True)
    edits = []
    depth = 0  # from Python 3.12 on, the parts of f-strings are tokens; they stay as they are
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        kind = tokenize.tok_name[token.type]
        depth += (kind == "FSTRING_START") - (kind == "FSTRING_END")
        if depth or kind == "FSTRING_END":
            continue
        fresh = change(token)
        if fresh != token.string:
            edits.append((token.start, token.end, fresh))
    for (row, start), (last, end), fresh in reversed(edits):
        assert row == last
        line = lines[row - 1]
        lines[row - 1] = line[:start] + fresh + line[end:]
    return "".join(lines)


def change_comments(code: str, rng: random.Random) -> str:
    """Without the comments there were, with others and empty lines between statements."""
    ends = {
        token.start[0]: token.start[1]
        for token in tokenize.generate_tokens(io.StringIO(code).readline)
        if token.type == tokenize.COMMENT
    }
    starts = {node.lineno for node in ast.walk(ast.parse(code)) if isinstance(node, ast.stmt)}
    found = []
    for number, line in enumerate(code.splitlines(), 1):
        if number in starts and rng.random() < 0.3:
            indent = line[: len(line) - len(line.lstrip())]
            found += ["", f"{indent}# step {rng.randrange(1000)}: see above"]
        found.append(line[: ends[number]].rstrip() if number in ends else line)
    return "\n".join(found) + "\n"


def reformat(code: str, width: int) -> str:
    """As ruff formats it, which follows black, with another line length."""
    ruff = Path(sys.executable).with_name("ruff")
    words = [str(ruff), "format", "--line-length", str(width), "--isolated", "-"]
    done = subprocess.run(words, input=code, capture_output=True, text=True, check=True)
    return done.stdout


def reorder(code: str, rng: random.Random) -> str:
    """The same functions and classes in another order, after everything else."""
    tree = ast.parse(code)
    moved = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    rest = [n for n in tree.body if n not in moved]
    rng.shuffle(moved)
    return "\n\n".join(_source(code, node) for node in [*rest, *moved]) + "\n"


def _source(code: str, node: ast.stmt) -> str:
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(d.lineno for d in decorators)])
    return "\n".join(code.splitlines()[first - 1 : node.end_lineno])


def to_notebook(code: str, rng: random.Random) -> bytes:
    """A notebook with the statements in cells, with magics, shell lines and texts between them."""
    cells: list[dict[str, object]] = [{"cell_type": "markdown", "source": ["# Notebook\n"]}]
    part: list[str] = []
    for node in ast.parse(code).body:
        part.append(_source(code, node))
        if rng.random() < 0.5:
            extra = rng.choice(["%matplotlib inline\n", "!pip install lightgbm\n", "%%time\n", ""])
            source = extra + "\n".join(part)
            cells.append({"cell_type": "code", "source": source.splitlines(keepends=True)})
            cells.append({"cell_type": "markdown", "source": "def text(): pass"})
            part = []
    cells.append({"cell_type": "code", "source": "\n".join(part), "outputs": [{"text": "x = 1"}]})
    return json.dumps({"cells": cells, "nbformat": 4}).encode()


def paste(host: str, donor: str, share: float, rng: random.Random) -> tuple[str, set[int]]:
    """Host code with statements of a donor, which are about this share of the code.

    The share is one of tokens: prose such as docstrings has many letters and little code. Returns
    the code and the numbers of the pasted lines.
    """
    hosts = [_source(host, node) for node in ast.parse(host).body]
    donated = [
        _source(donor, node)
        for node in ast.parse(donor).body
        if not isinstance(node, ast.Import | ast.ImportFrom)
    ]
    tokens = find_tokenizer().read
    wanted = share / (1 - share) * len(tokens(host.encode()).words)
    first = rng.randrange(max(1, len(donated) // 2))
    text = "\n".join(donated[first:] + donated[:first])
    lines = text.splitlines()
    amounts = np.bincount(tokens(text.encode()).lines, minlength=len(lines) + 1).cumsum()
    count = 0
    while count < len(lines) and (amounts[count] < wanted or not _is_whole(lines[:count])):
        count += 1
    taken = lines[:count]
    before = hosts[: rng.randrange(1, len(hosts))]
    start = "\n".join(before).count("\n") + 2
    code = "\n".join([*before, *taken, *hosts[len(before) :]]) + "\n"
    return code, set(range(start, start + len(taken)))


def _is_whole(lines: list[str]) -> bool:
    try:
        ast.parse("\n".join(lines))
    except SyntaxError:
        return False
    return True


def write_program(rng: random.Random, statements: int, loops: float = 0.0) -> tuple[str, str]:
    """A random program in two spellings, which differ in a share of their statements.

    The first builds lists by comprehensions, the second by loops.
    """
    one, other = ["import numpy as np", "import pandas as pd"], ["import numpy as np"]
    other.append("import pandas as pd")
    differing = set(rng.sample(range(statements), round(loops * statements)))
    for number in range(statements):
        if number in differing:
            item, source = _expression(rng, 1, "item"), _expression(rng, 1)
            one.append(f"v{number} = [{item} for item in {source}]")
            other += [f"v{number} = []", f"for item in {source}:"]
            other.append(f"    v{number}.append({item})")
        else:
            lines = list(_statement(rng, number))
            one += lines
            other += lines
    return "\n".join(one) + "\n", "\n".join(other) + "\n"


def _statement(rng: random.Random, number: int) -> Iterator[str]:
    kind = rng.randrange(6)
    if kind == 0:
        yield f"def f{number}({', '.join(f'a{i}' for i in range(rng.randrange(1, 4)))}):"
        yield f"    b = {_expression(rng, 2, 'a0')}"
        yield f"    return {_expression(rng, 2, 'b')}"
    elif kind == 1:
        yield f"if {_expression(rng, 1)} > {rng.randrange(99)}:"
        yield f"    v{number} = {_expression(rng, 2)}"
    elif kind == 2:
        yield f"with open({_expression(rng, 1)}) as stream:"
        yield f"    v{number} = stream.read({rng.randrange(99)})"
    elif kind == 3:
        yield f"frame['c{number}'] = {_expression(rng, 2)}"
    elif kind == 4:
        yield f"for i in range({rng.randrange(99)}):"
        yield f"    v{number} += {_expression(rng, 2, 'i')}"
    else:
        yield f"v{number} = {_expression(rng, 3)}"


def _expression(rng: random.Random, depth: int, name: str = "x") -> str:
    if depth == 0:
        return rng.choice([name, str(rng.randrange(100)), "'text'", "None", "3.5"])
    inner = [_expression(rng, depth - 1, name) for _ in range(3)]
    return rng.choice(
        [
            f"np.log({inner[0]})",
            f"frame[{inner[0]}].fillna({inner[1]})",
            f"({inner[0]} + {inner[1]}) * {inner[2]}",
            f"dict(a={inner[0]}, b={inner[1]})",
            f"{name}.loc[{inner[0]}, {inner[1]}]",
            f"[{inner[0]}, {inner[1]}, {inner[2]}]",
            f"pd.merge({inner[0]}, {inner[1]}, on={inner[2]})",
            f"({inner[0]} if {inner[1]} else {inner[2]})",
            f"model.fit({inner[0]}, y={inner[1]}).predict({inner[2]})[0]",
            f"(lambda z: {inner[0]})",
        ]
    )
