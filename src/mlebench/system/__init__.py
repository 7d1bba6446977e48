"""Small wrappers over the operating system: child processes, atomic files, repeated calls."""
