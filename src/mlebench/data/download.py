"""Downloading from Kaggle with its official client, which is imported only here."""

from __future__ import annotations

from typing import Any

from mlebench.errors import UsageError


def kaggle_client() -> Any:
    """The client, logged in with the user's credentials."""
    try:
        from kaggle.api.kaggle_api_extended import KaggleApi
    except ImportError:
        raise UsageError(
            "downloading needs the Kaggle client; install it: pip install 'mlebench[kaggle]'"
        ) from None
    client = KaggleApi()
    client.authenticate()
    return client
