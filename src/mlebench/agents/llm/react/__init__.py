"""An agent that works step by step with a shell, files, Python and validation."""
