"""The version of the package and the revisions of the benchmark."""

__version__ = "0.1.0"
REVISION = "v1"
"""The default: the benchmark as published."""

REVISIONS = ("v1", "v1.1")


def option_for(revision: str) -> str:
    """The option that names a revision, at the end of a printed command; none for the default."""
    return "" if revision == REVISION else f" --revision {revision}"
