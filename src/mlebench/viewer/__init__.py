"""A local web application over the runs folder: reads it, writes nothing into it."""
