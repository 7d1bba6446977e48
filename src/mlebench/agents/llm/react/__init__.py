"""Our agent that works with a shell, files, Python and validation, step by step."""
