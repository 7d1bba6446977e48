"""Our agents that use a language model, with the workspace and the model client they share."""
