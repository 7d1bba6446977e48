"""Tests of mlebench.audit."""
