"""Raw data read in place from zip, 7z and tar archives, and files copied out of it."""
