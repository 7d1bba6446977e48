"""Our agents that use a language model, and what they share: the workspace and a model client."""
