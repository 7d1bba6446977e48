"""Rehearsal data. Molecules, atom pairs and coupling constants: a table grouped by molecule plus one xyz file per molecule."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, write_csv, write_text

TYPES = ["1JHC", "2JHH", "1JHN", "2JHN", "2JHC", "3JHH", "3JHC", "3JHN"]


TRAIN = ["id", "molecule_name", "atom_index_0", "atom_index_1", "type", "scalar_coupling_constant"]


STRUCTURES = ["molecule_name", "atom_index", "atom", "x", "y", "z"]


TENSOR = ["XX", "YX", "ZX", "XY", "YY", "ZY", "XZ", "YZ", "ZZ"]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")

    def real(span: float, digits: int = 10) -> str:
        """Values in the archive's mixed styles: long decimals, small exponents, padded zeros."""
        v = r.uniform(-span, span)
        kind = r.random()
        if kind < 0.05:
            return f"{v * 1e-7:.6e}"
        if kind < 0.10:
            return f"{v:.1f}0"
        if kind < 0.13:
            return "0.0"
        return f"{v:.{digits}f}"

    n_train, n_test = 60 * scale, 6 * scale
    numbers = sorted(r.sample(range(1, 20 * (n_train + n_test)), n_train + n_test))
    names = [f"dsgdb9nsd_{k:06d}" for k in numbers]
    test_names = set(r.sample(names, n_test))
    r.shuffle(
        names
    )  # Kaggle's molecules are sorted; these are not, so that the sorting in preparation shows

    train, test, structures, dipole, tensors, mulliken, energy, contributions = (
        [] for _ in range(8)
    )
    next_test_id = 50_000 * scale
    for name in names:
        atoms = ["C"] + [r.choice("HHHCNOF") for _ in range(r.randrange(3, 9))]
        lines = [str(len(atoms)), ""]
        for i, atom in enumerate(atoms):
            x, y, z = real(5), real(5), real(5)
            structures.append([name, i, atom, x, y, z])
            lines.append(f"{atom} {x} {y} {z}")
        write_text(raw / "structures" / f"{name}.xyz", "\n".join(lines) + "\n")
        pairs = sorted(
            {(r.randrange(len(atoms)), r.randrange(len(atoms))) for _ in range(r.randrange(2, 12))}
        )
        for a, b in pairs:
            kind = r.choice(TYPES)
            span = {"1": 120, "2": 12, "3": 8}[kind[0]]
            value = real(span, 4 if r.random() < 0.5 else 12)
            if name in test_names:
                test.append([next_test_id, name, a, b, kind])
                next_test_id += 1
            else:
                train.append([len(train), name, a, b, kind, value])
                contributions.append([name, a, b, kind, real(9), real(1), real(1), real(1)])
        if name not in test_names:
            dipole.append([name, real(3, 4), real(3, 4), real(3, 4)])
            energy.append([name, f"{-r.uniform(40, 900):.5f}"])
            for i in range(len(atoms)):
                tensors.append([name, i, *(real(300, 4) for _ in TENSOR)])
                mulliken.append([name, i, real(0.6, 6)])

    # The archive's rows are grouped by molecule, but not in the order of the names everywhere;
    # here some train rows also lie away from their molecule and out of the order of the ids.
    train = [row for k, row in enumerate(train) if k % 7] + train[::-7]
    r.shuffle(dipole)
    r.shuffle(energy)
    write_csv(raw / "train.csv", TRAIN, train)
    write_csv(raw / "test.csv", TRAIN[:-1], test)
    write_csv(
        raw / "sample_submission.csv",
        ["id", "scalar_coupling_constant"],
        ([row[0], 0] for row in test),
    )
    write_csv(raw / "structures.csv", STRUCTURES, structures)
    write_csv(raw / "dipole_moments.csv", ["molecule_name", "X", "Y", "Z"], dipole)
    write_csv(
        raw / "magnetic_shielding_tensors.csv", ["molecule_name", "atom_index", *TENSOR], tensors
    )
    write_csv(
        raw / "mulliken_charges.csv", ["molecule_name", "atom_index", "mulliken_charge"], mulliken
    )
    write_csv(raw / "potential_energy.csv", ["molecule_name", "potential_energy"], energy)
    write_csv(
        raw / "scalar_coupling_contributions.csv",
        ["molecule_name", "atom_index_0", "atom_index_1", "type", "fc", "sd", "pso", "dso"],
        contributions,
    )
