"""An agent that searches a tree of solutions."""
