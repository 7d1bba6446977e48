"""Revision v1.1: the prize money as announced."""

from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "the prize money is mistyped: 1,200 instead of 12,000 for the first prize",
            "the correct amount",
        ),
    ),
    prize_usd=25_000,
)
