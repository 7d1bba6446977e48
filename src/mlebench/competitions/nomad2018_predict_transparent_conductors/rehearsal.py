"""Rehearsal data: crystal cells with an xyz file each in nested zips, two energies to predict."""

from mlebench.rehearsal import File, Files, Making, Random, raw_data, zip_bytes, zipped
from mlebench.rehearsal.content import csv_file, lines_file

FEATURES = (
    "id,spacegroup,number_of_total_atoms,percent_atom_al,percent_atom_ga,percent_atom_in,"
    "lattice_vector_1_ang,lattice_vector_2_ang,lattice_vector_3_ang,"
    "lattice_angle_alpha_degree,lattice_angle_beta_degree,lattice_angle_gamma_degree"
).split(",")
TARGETS = ["formation_energy_ev_natom", "bandgap_energy_ev"]
RULER = "#======================================================="
TITLE = [RULER, "#Created using the Vegard's law.py script.", RULER]


def row(r: Random, number: int, *, is_labelled: bool) -> list[object]:
    al, ga = r.choice([0.0, 0.125, 0.1562, 0.375, 0.625]), r.choice([0.0, 0.25, 0.375])
    group, atoms = r.choice([12, 33, 167, 194, 206, 227]), r.choice(["20.0", "40.0", "80.0"])
    cells = [number, group, atoms, al, ga, round(1 - al - ga, 4)]
    cells += [round(r.uniform(3, 25), 4) for _ in range(3)]
    cells += [round(r.choice([90, 120]) + r.uniform(-0.05, 0.05), 4) for _ in range(3)]
    gap = "0.0001" if r.random() < 0.02 else round(r.uniform(0.1, 5.3), 4)
    if is_labelled:
        cells += [0.0 if r.random() < 0.05 else round(r.uniform(0, 0.66), 4), gap]
    return cells


def geometry(r: Random, folder: str) -> list[File]:
    lines = [
        f"lattice_vector {r.uniform(0, 20):.7f} {r.uniform(0, 2):.7f} -0.0000000" for _ in range(3)
    ]
    for _ in range(4):
        place = " ".join(f"{r.uniform(0, 9):.8f}" for _ in "xyz")
        lines.append(f"atom {place} {r.choice(['Al', 'Ga', 'In', 'O'])}")
    return [(folder, b""), lines_file(f"{folder}geometry.xyz", TITLE + lines)]


@raw_data("rows")
def make_raw(making: Making) -> Files:
    r = making.r
    for part, count in (("train", 230 * making.scale), ("test", 6)):
        is_train, numbers = part == "train", range(1, count + 1)
        rows = (row(r, number, is_labelled=is_train) for number in numbers)
        header = FEATURES + TARGETS if is_train else FEATURES
        yield zipped(csv_file(f"{part}.csv", header, rows))
        files = [file for number in numbers for file in geometry(r, f"{part}/{number}/")]
        yield f"{part}.zip", zip_bytes([(f"{part}/", b""), *files])
    sample = ((i, 0.1779, 1.8892) for i in range(1, 7))
    yield zipped(csv_file("sample_submission.csv", ["id", *TARGETS], sample))
