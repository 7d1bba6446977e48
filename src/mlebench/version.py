"""The version of the package and the revisions of the benchmark."""

__version__ = "0.1.0"
REVISION = "v1"
"""The default: the benchmark as published."""

REVISIONS = ("v1", "v1.1")
