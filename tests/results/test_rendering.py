"""Templates: escaping is on for everything, missing names are errors, Jinja2 is loaded late."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

import mlebench
from mlebench.results.page import overview
from mlebench.results.page.rendering import TEMPLATES, environment, render
from mlebench.results.page.report import page_context
from mlebench.viewer.export import TEMPLATES as SITE
from tests.results.made_runs import make_group
from tests.results.test_page import IDS, results_of

SOURCE = Path(mlebench.__file__).parent
HOSTILE = "<i id='h'>\"&\x1b\u202e"
OURS = ("style", "script", "policy")
"""Files of the package and a policy made of their hashes: the only values marked safe."""


def hostile(value: Any) -> Any:
    """The same value with every text in it replaced."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, str):
        return HOSTILE
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: hostile(getattr(value, f.name)) for f in fields(value)})
    if isinstance(value, dict):
        return {key: hostile(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(hostile(part) for part in value)
    return value


def test_w01_no_value_of_the_page_reaches_it_unescaped(tmp_path: Path) -> None:
    make_group(tmp_path, "aide", IDS, seeds=3, outcomes=["gold", "failed", "invalid"])
    results = results_of(tmp_path)
    context = page_context(results, with_logs=True)
    kept = {name: context[name] for name in (*OURS, "css", "words")}
    matrix = [
        (HOSTILE, HOSTILE, {HOSTILE: hostile(own["aide"])})
        for _, _, own in overview.matrix(results)
    ]
    page = render("report.html", hostile(context) | kept | {"matrix": matrix})
    assert "<i" not in page
    assert '<b class="G" title="&lt;i id=&#39;h&#39;&gt;' in page
    assert "&lt;i id=&#39;h&#39;&gt;&#34;&amp;\\u001b\\u202e" in page
    assert page.count("&lt;i id") > 100
    assert "\x1b" not in page


def test_only_our_own_files_are_marked_safe() -> None:
    for file in (*TEMPLATES.glob("*.html"), *SITE.glob("*.html")):
        text = file.read_text("utf-8")
        assert "autoescape" not in text
        for line in text.splitlines():
            for name in re.findall(r"\{\{([^}]*)\|\s*safe", line):
                assert name.strip() in OURS
                assert "{# safe:" in line


def test_there_is_one_environment_and_it_escapes() -> None:
    users = {
        file.relative_to(SOURCE).as_posix()
        for file in SOURCE.rglob("*.py")
        if re.search(r"^\s*(from|import) jinja2", file.read_text("utf-8"), re.M)
    }
    assert users == {"results/page/rendering.py"}
    for folder in (TEMPLATES, SITE):
        assert environment(folder).autoescape is True
        assert environment(folder).from_string("{{ x }}").render(x="<b>") == "&lt;b&gt;"


def test_a_missing_name_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'policy' is undefined"):
        render("report.html", {})


def test_jinja_is_loaded_when_a_page_is_made() -> None:
    code = (
        "import sys, mlebench.cli, mlebench.cli.commands.report, mlebench.results.page,"
        " mlebench.viewer.application; assert 'jinja2' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
