"""Every published name, one case each: it is importable and takes the published arguments.

`pytest tests/drop_in/test_names.py -v` prints the table.
"""

from __future__ import annotations

import importlib
import inspect

import pytest

FUNCTIONS = """
grade:grade_csv                          path_to_submission competition
grade:grade_jsonl                        path_to_submissions output_dir registry=
grade:validate_submission                submission competition
grade:aggregate_reports                  competition_reports
grade:is_dataset_prepared                competition grading_only=
data:create_prepared_dir                 competition
data:download_and_prepare_dataset        competition keep_raw= overwrite_checksums= overwrite_leaderboard= skip_verification=
data:is_dataset_prepared                 competition grading_only=
data:download_dataset                    competition_id download_dir quiet= force=
data:ensure_leaderboard_exists           competition force=
data:get_leaderboard                     competition
data:get_checksum                        fpath
data:generate_checksums                  target_dir exts= exclude=
data:is_valid_prepare_fn                 preparer_fn
utils:get_logger                         name level= filename=
utils:create_run_dir                     competition_id= agent_id= run_group=
utils:generate_run_id                    competition_id agent_id run_group=
utils:get_runs_dir
utils:get_module_dir
utils:get_repo_dir
utils:extract                            compressed dst recursive= already_extracted=
utils:compress                           src compressed exist_ok=
utils:is_compressed                      fpath
utils:is_empty                           directory
utils:read_csv                           args kwargs
utils:load_answers                       path_to_answers
utils:read_jsonl                         file_path skip_commented_out_lines=
utils:load_yaml                          fpath
utils:import_fn                          fn_import_string
utils:get_path_to_callable               cal
utils:get_diff                           d other_d fromfile= tofile=
utils:in_ci
utils:purple                             text
utils:get_timestamp
utils:authenticate_kaggle_api
metrics:mean_average_precision_at_k      actual predicted k
metrics:average_precision_at_k           actual predicted k
metrics:dice_coefficient                 predicted_mask true_mask both_empty_value=
competitions.utils:prepare_for_accuracy_metric    submission answers target_column id_column
competitions.utils:prepare_for_auroc_metric       submission answers id_col target_col
competitions.utils:df_to_one_hot                  df id_column target_column classes
competitions.utils:one_hot_dfs_to_log_loss_inputs submission_one_hot answers_one_hot id_column= apply_softmax=
competitions.utils:is_one_hot_encoded             y
competitions.utils:rle_decode                     rle height width
competitions.utils:rle_encode                     mask fg_val=
competitions.utils:rles_to_masks                  rles height width
competitions.utils:get_ids_from_tf_records        tf_record_path id_feature=
registry:Registry                        data_dir=
registry:Registry.get_competition        self competition_id
registry:Registry.list_competition_ids   self
registry:Registry.get_lite_competition_ids self
registry:Registry.get_data_dir           self
registry:Registry.set_data_dir           self new_data_dir
registry:Registry.get_competitions_dir   self
registry:Registry.get_splits_dir         self
registry:Competition                     id name description grader answers gold_submission sample_submission competition_type prepare_fn raw_dir private_dir public_dir checksums leaderboard
registry:Competition.from_dict           data
grade_helpers:Grader                     name grade_fn
grade_helpers:Grader.from_dict           data
grade_helpers:Grader.__call__            self submission answers
grade_helpers:Grader.is_lower_better     self leaderboard
grade_helpers:Grader.rank_score          self score leaderboard
grade_helpers:CompetitionReport.to_dict  self
grade_helpers:CompetitionReport.from_dict data
cli:main                                 args=
"""  # noqa: E501
OTHERS = """
registry:registry registry:DEFAULT_DATA_DIR grade:DEFAULT_REGISTRY
grade_helpers:CompetitionReport grade_helpers:InvalidSubmissionError
"""


def find(place: str) -> object:
    module, _, path = place.partition(":")
    found: object = importlib.import_module(f"mlebench.{module}")
    for name in path.split("."):
        found = getattr(found, name)
    return found


@pytest.mark.parametrize("line", FUNCTIONS.strip().splitlines(), ids=lambda line: line.split()[0])
def test_function(line: str) -> None:
    place, *expected = line.split()
    found = find(place)
    assert callable(found)
    signature = inspect.signature(found)
    assert [
        f"{name}=" if parameter.default is not parameter.empty else name
        for name, parameter in signature.parameters.items()
    ] == expected


@pytest.mark.parametrize("place", OTHERS.split())
def test_name(place: str) -> None:
    assert find(place) is not None
