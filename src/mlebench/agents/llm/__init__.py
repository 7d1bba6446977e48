"""Our agents that use a language model, and what they share: the room and a model client."""
