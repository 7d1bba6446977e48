"""One folder per competition, with everything that belongs to it alone."""

from mlebench.competitions.hyphenated import PublishedModules, folder_name

__all__ = ["folder_name"]

PublishedModules.install()
