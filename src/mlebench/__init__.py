"""mlebench: an independent implementation of MLE-bench."""

from mlebench.version import __version__

__all__ = ["__version__"]
