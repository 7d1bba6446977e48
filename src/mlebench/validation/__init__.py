"""The validation endpoint: reports whether a file has the right format, nothing else."""

from mlebench.validation.server import ValidationServer

__all__ = ["ValidationServer"]
