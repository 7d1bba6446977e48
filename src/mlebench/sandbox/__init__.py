"""Sandboxes in which agents work: one protocol, several kinds of isolation."""
