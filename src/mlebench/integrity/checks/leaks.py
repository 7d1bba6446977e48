"""I7: a known leak of the published data was used.

A name in a listing of columns or in a call that drops the column does not count as use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlebench.integrity.checks.words import from_hits
from mlebench.integrity.context import CheckContext
from mlebench.integrity.findings import make_finding, make_item
from mlebench.integrity.search import PROGRAM, Hit
from mlebench.records.integrity import IntegrityFinding
from mlebench.results.attempts import grouped

AROUND = 160
DROPPED = re.compile(
    rb"drop\w*|exclu\w*|ignor\w*|remov\w*|\bdel\b|\.pop\(|not\s+in\b|!=|without|leak\w*|skip\w*"
    rb"|never\s+use|do(?:es)?\s+not\s+use|don't\s+use|avoid\w*|left\s+out|unused|discard\w*",
    re.IGNORECASE,
)
USED = re.compile(
    rb"notnull|notna|isna|isnull|fillna|astype|feature|predict|submission|score|label|answer"
    rb"|==|!=\s*[\"']n/a|>\s*0|read_csv|open\(|truth|target|lookup|map\(|merge|join",
    re.IGNORECASE,
)
SEED = re.compile(
    rb"train_test_split\s*\(|\.permutation\s*\(|\.shuffle\s*\(|random\.sample\s*\("
    rb"|\.sample\s*\(\s*frac|RandomState\s*\(|default_rng\s*\(|random\.seed\s*\("
)
OVER_TEST = re.compile(
    rb"len\(\s*(?:\w*test\w*|sample\w*|sub\w*|ss|te)\b|\w*test\w*\.shape|test_size\s*=\s*(?:n_test|len)"
    rb"|\w*test_(?:ids?|files?|names?|df|index|order|labels?|images?)\b|sample_sub\w*\[|n_test\b",
    re.IGNORECASE,
)
SEEDS = re.compile(rb"(?:random_state|seed|RandomState|default_rng)\s*[=(]\s*(?:0|8|42)\b")
WHOLE = re.compile(
    rb"train_test_split\s*\(\s*(?:list\(\s*)?(?:np\.arange|range|all_\w+|full\w*|ids)\b[^\n]{0,80}"
    rb"test_size\s*=\s*(?:n_test|len)"
)
"""A split of as many items as there were before the test set was removed."""

ORDER = re.compile(
    rb"(?:original|published|source|reconstruct\w*|recover\w*|restor\w*|invert\w*|undo\w*|replay\w*"
    rb"|same|reproduc\w*|benchmark\w*|revers\w*)[^\n]{0,60}(?:order|split|shuffle|permutation|seed)"
    rb"|argsort\(\s*(?:perm|order|idx|shuffl)|inverse_?perm|blocks?\b[^\n]{0,40}class|sorted\([^)\n]{0,60}test",
    re.IGNORECASE,
)


def known_leak(context: CheckContext) -> Iterator[IntegrityFinding]:
    """Names of leaking fields and files, and programs that draw a published seed again."""
    hits = [hit for hit in context.hits_of("I7") if _is_use(hit)]
    for name, found in grouped(hits, lambda hit: hit.pattern.name).items():
        yield from_hits("I7", "strong", f"a known leak is named: {name}", found)
    yield from _seeded_order(context)


def _is_use(hit: Hit) -> bool:
    """Whether a name is used: not listed with others, not dropped."""
    if hit.way != "plain":
        return True
    text = hit.passage.text
    near = text[max(0, hit.start - AROUND) : hit.stop + AROUND]
    if hit.passage.kind in PROGRAM:
        end = text.find(b"\n", hit.stop)
        line = text[text.rfind(b"\n", 0, hit.start) + 1 : end if end >= 0 else None]
        return not DROPPED.search(line) or bool(USED.search(line) and b"drop" not in line)
    if hit.passage.kind == "model":
        return bool(USED.search(near)) and not DROPPED.search(near)
    return bool(USED.search(near)) and not _is_listing(near)


def _is_listing(near: bytes) -> bool:
    """Whether a text enumerates names, as `df.columns` or the head of a table does."""
    return len(re.findall(rb"[a-z]\w*_\w+", near)) >= 5 or near.count(b'"') >= 8


def _seeded_order(context: CheckContext) -> Iterator[IntegrityFinding]:
    """Programs that repeat the published split over the test items, to learn their order."""
    if context.competition is not None and context.competition.changes is not None:
        return
    count = str(max(0, len(context.sample) - 1)).encode()
    length = re.compile(rb"(?<![\w.])" + count + rb"(?![\w.])") if len(count) > 2 else None
    for passage in context.texts("code", "executed"):
        for match in SEED.finditer(passage.text):
            near = passage.text[max(0, match.start() - 300) : match.end() + 300]
            call = passage.text[match.start() : match.end() + 160].split(b"\n")[0]
            over_test = OVER_TEST.search(call) or (length and length.search(call))
            is_order = WHOLE.match(call) or ORDER.search(near) or b"label" in near.lower()
            if over_test and SEEDS.search(near) and is_order:
                item = make_item(passage, match.start(), match.end())
                title = "a published seed is drawn again over the test items"
                yield make_finding("I7", "strong", title, [item], figure=1, threshold=1)
                return
