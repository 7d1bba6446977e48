"""The version of the package and its default revision of the benchmark."""

__version__ = "0.1.0"
REVISION = "v1"
