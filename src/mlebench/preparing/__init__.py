"""Turns an archive into public data and hidden answers: stage, check, verify, clean."""
