"""Published protocols as data, and how runs deviate from one."""

from mlebench.protocols.deviations import AsRun, find_deviations
from mlebench.protocols.protocol import Protocol, get_protocol, list_protocols, nearest_protocol

__all__ = [
    "AsRun",
    "Protocol",
    "find_deviations",
    "get_protocol",
    "list_protocols",
    "nearest_protocol",
]
