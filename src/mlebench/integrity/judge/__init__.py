"""Ask a model about the conduct of a run: our digest in fenced pieces, two passes, JSON answers.

Everything that a run left is quoted inside fences that could not be known beforehand, so that no
sentence in a log can instruct the judge. Its calls are recorded and can be replayed.
"""
