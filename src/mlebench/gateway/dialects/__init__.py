"""The protocols of agents and providers, and the neutral form between them.

One reader and one writer for each: a call whose two sides speak the same protocol is passed on as
it is, every other is read from the one and written to the other.
"""
