"""The one-file report page: figures from `results`, HTML from the templates beside this file."""

from __future__ import annotations

from mlebench.results.page.report import render_page, write_page

__all__ = ["render_page", "write_page"]
