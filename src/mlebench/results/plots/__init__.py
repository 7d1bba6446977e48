"""Pictures as inline SVG, each with its figures as a small table (head and rows)."""
