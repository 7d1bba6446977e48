"""Our agent that searches a tree of whole solutions."""
