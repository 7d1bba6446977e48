"""Metrics: pure functions of truth and prediction, one file per family."""

from mlebench.metrics.base import Metric, higher_is_better, lower_is_better
from mlebench.metrics.classification import accuracy
from mlebench.metrics.probability import multi_class_log_loss
from mlebench.metrics.ranking import mean_column_roc_auc, roc_auc
from mlebench.metrics.regression import root_mean_squared_error
from mlebench.metrics.text import word_jaccard

__all__ = [
    "Metric",
    "accuracy",
    "higher_is_better",
    "lower_is_better",
    "mean_column_roc_auc",
    "multi_class_log_loss",
    "roc_auc",
    "root_mean_squared_error",
    "word_jaccard",
]
