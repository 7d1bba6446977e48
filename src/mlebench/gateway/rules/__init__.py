"""Which fields and kinds of content a request may have, for each protocol of agents.

Listed fields pass with a known type, listed dangerous ones are refused, all others are removed and
noted in the record. What the provider itself would run or fetch is refused in every protocol.
"""

from mlebench.gateway.rules.shapes import Denied, RequestCheck, objects_in, read_object

__all__ = ["Denied", "RequestCheck", "objects_in", "read_object"]
