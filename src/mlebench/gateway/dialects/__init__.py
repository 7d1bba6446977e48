"""The protocols of agents and providers, and the neutral form between them.

Each protocol has one reader and one writer. A call is passed on unchanged if both sides speak the
same protocol; otherwise it is read in one and written in the other.
"""
