"""Rehearsal data: molecules, pairs of atoms and coupling constants, one xyz file per molecule."""

from typing import Any

from mlebench.rehearsal import Making, Parts, Random, csv_file, lines_file, raw_data

TYPES = ["1JHC", "2JHH", "1JHN", "2JHN", "2JHC", "3JHH", "3JHC", "3JHN"]
SPANS = {"1": 120, "2": 12, "3": 8}
PAIR = "molecule_name,atom_index_0,atom_index_1,type"
HEADERS = {
    "train": f"id,{PAIR},scalar_coupling_constant",
    "test": f"id,{PAIR}",
    "structures": "molecule_name,atom_index,atom,x,y,z",
    "dipole_moments": "molecule_name,X,Y,Z",
    "magnetic_shielding_tensors": "molecule_name,atom_index,XX,YX,ZX,XY,YY,ZY,XZ,YZ,ZZ",
    "mulliken_charges": "molecule_name,atom_index,mulliken_charge",
    "potential_energy": "molecule_name,potential_energy",
    "scalar_coupling_contributions": f"{PAIR},fc,sd,pso,dso",
}
Tables = dict[str, list[list[Any]]]


def real(r: Random, span: float, digits: int = 10) -> str:
    """A value in the archive's mixed styles: long decimals, small exponents, padded zeros."""
    value, kind = r.uniform(-span, span), r.random()
    if kind < 0.05:
        return f"{value * 1e-7:.6e}"
    if kind < 0.10:
        return f"{value:.1f}0"
    return "0.0" if kind < 0.13 else f"{value:.{digits}f}"


def add_pairs(r: Random, tables: Tables, name: str, atoms: int, first_id: int | None) -> None:
    """Add the pairs of a molecule to `test` if it has a first id, else to `train`."""
    count = r.randrange(2, 12)
    for a, b in sorted({(r.randrange(atoms), r.randrange(atoms)) for _ in range(count)}):
        kind = r.choice(TYPES)
        value = real(r, SPANS[kind[0]], 4 if r.random() < 0.5 else 12)
        pair = [name, a, b, kind]
        if first_id is not None:
            tables["test"].append([first_id + len(tables["test"]), *pair])
        else:
            tables["train"].append([len(tables["train"]), *pair, value])
            parts = [real(r, 9), real(r, 1), real(r, 1), real(r, 1)]
            tables["scalar_coupling_contributions"].append([*pair, *parts])


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r, scale, tables = making.r, making.scale, Tables((name, []) for name in HEADERS)
    numbers = sorted(r.sample(range(1, 20 * 66 * scale), 66 * scale))
    names = [f"dsgdb9nsd_{number:06d}" for number in numbers]
    test_names = set(r.sample(names, 6 * scale))
    r.shuffle(names)  # Kaggle's are sorted; these are not, to test the sorting in preparation
    for name in names:
        atoms = ["C"] + [r.choice("HHHCNOF") for _ in range(r.randrange(3, 9))]
        placed = [[atom, real(r, 5), real(r, 5), real(r, 5)] for atom in atoms]
        tables["structures"] += [[name, i, *atom] for i, atom in enumerate(placed)]
        lines = [str(len(atoms)), "", *(" ".join(atom) for atom in placed)]
        yield lines_file(f"structures/{name}.xyz", lines)
        is_test = name in test_names
        add_pairs(r, tables, name, len(atoms), 50_000 * scale if is_test else None)
        if is_test:
            continue
        tables["dipole_moments"].append([name, *(real(r, 3, 4) for _ in range(3))])
        tables["potential_energy"].append([name, f"{-r.uniform(40, 900):.5f}"])
        for i in range(len(atoms)):
            tensor = [real(r, 300, 4) for _ in range(9)]
            tables["magnetic_shielding_tensors"].append([name, i, *tensor])
            tables["mulliken_charges"].append([name, i, real(r, 0.6, 6)])
    # The archive's rows are grouped by molecule, not everywhere in the order of the names; here
    # some train rows are also apart from their molecule and out of the order of the ids.
    train = tables["train"]
    tables["train"] = [row for k, row in enumerate(train) if k % 7] + train[::-7]
    r.shuffle(tables["dipole_moments"])
    r.shuffle(tables["potential_energy"])
    for table, header in HEADERS.items():
        yield csv_file(f"{table}.csv", header, tables[table])
    sample = ([row[0], 0] for row in tables["test"])
    yield csv_file("sample_submission.csv", "id,scalar_coupling_constant", sample)
