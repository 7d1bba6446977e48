"""Draw docs/images/architecture.svg from the import contract and the packages' first sentences.

python scripts/make_architecture.py [--check]
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from html import escape
from pathlib import Path

from generated import write_or_check

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "images" / "architecture.svg"
PACKAGE = ROOT / "src" / "mlebench"
WIDTH, ROW, PAD = 860, 24, 6
NAME_WIDTH = 118
COMPATIBILITY = "Compatibility modules: what importers of the published package expect."
# Bands, from the top: where a layer begins with this package, another colour begins.
BANDS = {
    "__main__": ("who calls", "#e8eaf6"),
    "viewer": ("many runs", "#e3f2fd"),
    "preparing": ("single tasks", "#e0f2f1"),
    "catalogue": ("competitions", "#fff3e0"),
    "metrics": ("data and system", "#f3e5f5"),
}


def main() -> int:
    return write_or_check({PICTURE: draw(read_layers())})


def read_layers() -> list[list[str]]:
    """The layers of the import contract, from the top, each with its packages."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["id"] == "layers"]
    return [re.split(r"\s*[|:]\s*", layer) for layer in layers]


def sentence_of(name: str) -> str:
    """The first sentence of a package's docstring."""
    for path in (PACKAGE / name / "__init__.py", PACKAGE / f"{name}.py"):
        if path.is_file():
            text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
            return " ".join(re.split(r"(?<=\.)\s", text.replace("\n", " "))[0].split())
    raise FileNotFoundError(f"the import contract names {name}, which is not in {PACKAGE}")


def draw(layers: list[list[str]]) -> str:
    parts: list[str] = []
    y, band, colour = PAD, "", "#fff"
    for layer in layers:
        title, colour = BANDS.get(layer[0], (band, colour))
        rows = [(", ".join(layer), COMPATIBILITY)] if "registry" in layer else []
        rows = rows or [(name, sentence_of(name)) for name in layer]
        height = ROW * len(rows)
        parts.append(_rectangle(y, height, colour))
        if title != band:
            parts.append(_text(WIDTH - 10, y + 16, title, 'class="band" text-anchor="end"'))
        band = title
        for name, sentence in rows:
            parts.append(_text(14, y + 16, name, 'class="name"'))
            x = 14 + max(NAME_WIDTH, 8 * len(name) + 16)
            parts.append(_text(x, y + 16, sentence, ""))
            y += ROW
        y += PAD
    return _document(y, parts)


def _rectangle(y: int, height: int, colour: str) -> str:
    return (
        f'<rect x="4" y="{y}" width="{WIDTH - 8}" height="{height}" rx="4"'
        f' fill="{colour}" stroke="#90a4ae"/>'
    )


def _text(x: int, y: int, text: str, attributes: str) -> str:
    return f'<text x="{x}" y="{y}" {attributes}>{escape(text)}</text>'.replace(" >", ">")


def _document(height: int, parts: list[str]) -> str:
    style = (
        "text{font:12.5px system-ui,sans-serif;fill:#263238}"
        ".name{font-family:ui-monospace,monospace;font-weight:600}"
        ".band{font-style:italic;fill:#546e7a}"
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        f' width="{WIDTH}" height="{height}" role="img">\n'
        "<title>Packages of mlebench in layers; imports point downwards</title>\n"
        f"<style>{style}</style>\n"
    )
    return head + "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    sys.exit(main())
