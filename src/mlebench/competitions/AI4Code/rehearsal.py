"""Rehearsal data: notebooks whose markdown cells must be put back in order.

The official split takes exactly 20,000 notebooks for the test: fewer cannot be prepared.
"""

from mlebench.rehearsal import FilePerId, HexId, Ids, Making, Parts, Random, Table, raw_data
from mlebench.rehearsal.content import csv_file, json_file
from mlebench.rehearsal.draws import hex_id

CODE = "import pandas as pd|df.head()|x = 1\ny = 2|print('a, \"b\"')|plt.plot(x)|é = 'ü'".split("|")
TEXT = ["# Title", "## EDA", "Let's look, again", "* one\n* two", "数据 – π", "$\\alpha$"]
TEST = b'{"cell_type": {"0a": "code"}, "source": {"0a": "1"}}'


def families(r: Random, ids: list[str]) -> dict[str, tuple[str, str]]:
    """Ancestor and parent of every notebook, in families of forks of 1 to 40."""
    found, pool = {}, list(ids)
    r.shuffle(pool)
    while pool:
        size = r.choice([1, 1, 1, 1, 1, 1, 2, 3, 4, r.choice([1, 10, 25, 40])])
        family, name = [pool.pop() for _ in range(min(size, len(pool)))], hex_id(r, 8)
        for number, notebook in enumerate(family):
            parent = ""
            if number or r.random() >= 0.8:
                parent = hex_id(r, 14) if r.random() < 0.5 else family[0]
            found[notebook] = name, parent
    return found


def notebook(r: Random) -> tuple[str, dict[str, dict[str, str]]]:
    """The order of the cells, and the cells: code in order, then markdown shuffled."""
    cells = [hex_id(r, 8) for _ in range(r.choice([2, 2, 2, 3, 3, 4]))]
    code = set(r.sample(cells, r.randrange(1, len(cells))))
    markdown = [cell for cell in cells if cell not in code]
    r.shuffle(markdown)
    listed = [cell for cell in cells if cell in code] + markdown
    types = {cell: "code" if cell in code else "markdown" for cell in listed}
    source = {cell: r.choice(CODE if cell in code else TEXT) for cell in listed}
    return " ".join(cells), {"cell_type": types, "source": source}


@raw_data("notebooks")
def make_raw(making: Making) -> Parts:
    r, orders = making.r, {}
    ids = sorted(hex_id(r, 14) for _ in range(20_000 + 150 * making.scale))
    ancestors = families(r, ids)
    for i in ids:
        orders[i], cells = notebook(r)
        yield json_file(f"train/{i}.json", cells)
    yield csv_file("train_orders.csv", "id,cell_order", orders.items())
    rows = ((i, *ancestors[i]) for i in ids)
    yield csv_file("train_ancestors.csv", "id,ancestor_id,parent_id", rows)
    test = Ids(HexId(14), fixed=4, is_sorted=False)
    yield FilePerId("test/{}.json", test, TEST)
    yield Table("sample_submission.csv", {"id": test, "cell_order": "0a"})
