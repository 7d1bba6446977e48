"""The version of the package and of the benchmark's revision it speaks by default."""

__version__ = "0.1.0"
REVISION = "v1"
