"""Tests of mlebench.checking."""
