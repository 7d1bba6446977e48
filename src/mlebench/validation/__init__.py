"""The validation endpoint: tells an agent whether its file has the right format, no more."""

from mlebench.validation.server import ValidationServer

__all__ = ["ValidationServer"]
