"""Grades submissions: file, table, checks, score, rank, report."""
