"""Rehearsal data: crystal cells with an xyz file each in nested zips, two energies to predict."""

from mlebench.rehearsal import Choice, Making, Many, Numbered, Parts, Random, Real, Table, Text, Zip
from mlebench.rehearsal.archives import zipped
from mlebench.rehearsal.content import csv_file, lines_file
from mlebench.rehearsal.declared import raw_data

FEATURES = (
    "id,spacegroup,number_of_total_atoms,percent_atom_al,percent_atom_ga,percent_atom_in,"
    "lattice_vector_1_ang,lattice_vector_2_ang,lattice_vector_3_ang,"
    "lattice_angle_alpha_degree,lattice_angle_beta_degree,lattice_angle_gamma_degree"
)
TARGETS = ["formation_energy_ev_natom", "bandgap_energy_ev"]
LABELS = ",".join(TARGETS)
RULER = "#======================================================="
TITLE = [RULER, "#Created using the Vegard's law.py script.", RULER]
VECTORS = Many(Text("lattice_vector {:.7f} {:.7f} -0.0000000", Real(0, 20), Real(0, 2)), 3)
ATOM = Choice("Al", "Ga", "In", "O")
ATOMS = Many(Text("atom {:.8f} {:.8f} {:.8f} {}", Real(0, 9), Real(0, 9), Real(0, 9), ATOM), 4)


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


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r = making.r
    for part, header, count in (
        ("train", f"{FEATURES},{LABELS}", 230 * making.scale),
        ("test", FEATURES, 6),
    ):
        numbers = range(1, count + 1)
        rows = (row(r, number, is_labelled=part == "train") for number in numbers)
        yield zipped(csv_file(f"{part}.csv", header, rows))
        files = [(f"{part}/", b"")]
        for folder in (f"{part}/{number}/" for number in numbers):
            lines = TITLE + VECTORS(r) + ATOMS(r)
            files += [(folder, b""), lines_file(f"{folder}geometry.xyz", lines)]
        yield Zip(f"{part}.zip", *files)
    sample = {"id": Numbered(fixed=6), LABELS: (0.1779, 1.8892)}
    yield zipped(Table("sample_submission.csv", sample))
