"""One folder per competition, with everything that belongs to it alone."""
