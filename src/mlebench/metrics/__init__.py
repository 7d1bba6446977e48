"""Metrics: pure functions of truth and prediction, one file per family."""

from mlebench.metrics.base import Metric, higher_is_better, lower_is_better
from mlebench.metrics.classification import (
    accuracy,
    macro_f1,
    matthews_correlation,
    micro_f1,
    quadratic_kappa,
    quadratic_kappa_of_values,
    top_1_error,
)
from mlebench.metrics.detection import voc_mean_average_precision
from mlebench.metrics.lists import (
    kendall_tau,
    label_set_micro_f1,
    list_error_rate,
    mean_average_precision_at,
    word_set_mean_f1,
    word_set_micro_f1,
)
from mlebench.metrics.probability import (
    binary_log_loss,
    kullback_leibler_divergence,
    label_weighted_ranking_average_precision,
    mean_weighted_log_loss,
    multi_class_log_loss,
    probabilistic_f1,
)
from mlebench.metrics.published import (
    average_precision_at_k,
    dice_coefficient,
    mean_average_precision_at_k,
)
from mlebench.metrics.ranking import (
    bias_ranking_auc,
    bias_roc_auc,
    mean_column_roc_auc,
    roc_auc,
    weighted_roc_auc,
)
from mlebench.metrics.regression import (
    laplace_log_likelihood,
    log_mean_absolute_error_by_group,
    mean_absolute_error,
    mean_angular_error,
    mean_column_root_mean_squared_error,
    mean_column_root_mean_squared_log_error,
    mean_column_spearman,
    mean_distance_percentiles,
    pearson_correlation,
    root_mean_squared_error,
)
from mlebench.metrics.text import (
    lenient_word_jaccard,
    mean_levenshtein_distance,
    text_accuracy,
    word_jaccard,
)

__all__ = [
    "Metric",
    "accuracy",
    "average_precision_at_k",
    "bias_ranking_auc",
    "bias_roc_auc",
    "binary_log_loss",
    "dice_coefficient",
    "higher_is_better",
    "kendall_tau",
    "kullback_leibler_divergence",
    "label_set_micro_f1",
    "label_weighted_ranking_average_precision",
    "laplace_log_likelihood",
    "lenient_word_jaccard",
    "list_error_rate",
    "log_mean_absolute_error_by_group",
    "lower_is_better",
    "macro_f1",
    "matthews_correlation",
    "mean_absolute_error",
    "mean_angular_error",
    "mean_average_precision_at",
    "mean_average_precision_at_k",
    "mean_column_roc_auc",
    "mean_column_root_mean_squared_error",
    "mean_column_root_mean_squared_log_error",
    "mean_column_spearman",
    "mean_distance_percentiles",
    "mean_levenshtein_distance",
    "mean_weighted_log_loss",
    "micro_f1",
    "multi_class_log_loss",
    "pearson_correlation",
    "probabilistic_f1",
    "quadratic_kappa",
    "quadratic_kappa_of_values",
    "roc_auc",
    "root_mean_squared_error",
    "text_accuracy",
    "top_1_error",
    "voc_mean_average_precision",
    "weighted_roc_auc",
    "word_jaccard",
    "word_set_mean_f1",
    "word_set_micro_f1",
]
