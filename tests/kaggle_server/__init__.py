"""A stand-in for Kaggle that the official client talks to, with faults on demand."""

from .contest import Contest
from .faults import Cut, Fault, Silence, Status
from .server import KaggleServer

__all__ = ["Contest", "Cut", "Fault", "KaggleServer", "Silence", "Status"]
