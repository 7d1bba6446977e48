"""Rehearsal data. Crystal cells: a table, one xyz file per material in a nested zip, two energies to predict."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng, write_zip

FEATURES = [
    "id",
    "spacegroup",
    "number_of_total_atoms",
    "percent_atom_al",
    "percent_atom_ga",
    "percent_atom_in",
    "lattice_vector_1_ang",
    "lattice_vector_2_ang",
    "lattice_vector_3_ang",
    "lattice_angle_alpha_degree",
    "lattice_angle_beta_degree",
    "lattice_angle_gamma_degree",
]


TARGETS = ["formation_energy_ev_natom", "bandgap_energy_ev"]


def row(r, number: int, labelled: bool) -> list:
    al = r.choice([0.0, 0.125, 0.1562, 0.375, 0.625])
    ga = r.choice([0.0, 0.25, 0.375])
    cells = [
        number,
        r.choice([12, 33, 167, 194, 206, 227]),
        r.choice(["20.0", "40.0", "80.0"]),
        al,
        ga,
        round(1 - al - ga, 4),
        *(round(r.uniform(3, 25), 4) for _ in range(3)),
        *(round(r.choice([90, 120]) + r.uniform(-0.05, 0.05), 4) for _ in range(3)),
    ]
    gap = "0.0001" if r.random() < 0.02 else round(r.uniform(0.1, 5.3), 4)
    return cells + (
        [0.0 if r.random() < 0.05 else round(r.uniform(0, 0.66), 4), gap] if labelled else []
    )


def xyz(r, number: int) -> bytes:
    lines = [
        "#=======================================================",
        "#Created using the Vegard's law.py script.",
        "#=======================================================",
    ]
    lines += [
        f"lattice_vector {r.uniform(0, 20):.7f} {r.uniform(0, 2):.7f} -0.0000000" for _ in range(3)
    ]
    lines += [
        f"atom {r.uniform(0, 9):.8f} {r.uniform(0, 9):.8f} {r.uniform(0, 9):.8f} {r.choice(['Al', 'Ga', 'In', 'O'])}"
        for _ in range(4)
    ]
    return ("\n".join(lines) + "\n").encode()


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    for part, count in (("train", 230 * scale), ("test", 6)):
        header = FEATURES + (TARGETS if part == "train" else [])
        table = csv_text(header, (row(r, i, part == "train") for i in range(1, count + 1)))
        write_zip(raw / f"{part}.csv.zip", {f"{part}.csv": table.encode()})
        files = {f"{part}/": b""}
        for i in range(1, count + 1):
            files |= {f"{part}/{i}/": b"", f"{part}/{i}/geometry.xyz": xyz(r, i)}
        write_zip(raw / f"{part}.zip", files)
    write_zip(
        raw / "sample_submission.csv.zip",
        {
            "sample_submission.csv": csv_text(
                ["id", *TARGETS], ((i, 0.1779, 1.8892) for i in range(1, 7))
            ).encode()
        },
    )
