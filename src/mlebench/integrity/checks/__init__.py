"""The checks, one function each; `I1` to `I16` are their names in the registry."""

from mlebench.integrity.checks.labelling import hand_labelling as I5
from mlebench.integrity.checks.labels import hard_coded_labels as I4
from mlebench.integrity.checks.leaks import known_leak as I7
from mlebench.integrity.checks.outside import outside_data as I12
from mlebench.integrity.checks.records import best_of_many as I11
from mlebench.integrity.checks.records import copied_run as I15
from mlebench.integrity.checks.records import fed_back_score as I10
from mlebench.integrity.checks.records import fooled_validator as I8
from mlebench.integrity.checks.records import probing_validation as I9
from mlebench.integrity.checks.results import good_score as I3
from mlebench.integrity.checks.results import no_model as I6
from mlebench.integrity.checks.results import submission_is_answers as I2
from mlebench.integrity.checks.sabotage import sabotage as I16
from mlebench.integrity.checks.words import judge_words as I14
from mlebench.integrity.checks.words import read_answers as I1
from mlebench.integrity.checks.words import sandbox_probing as I13

__all__ = [
    "I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8",
    "I9", "I10", "I11", "I12", "I13", "I14", "I15", "I16",
]  # fmt: skip
