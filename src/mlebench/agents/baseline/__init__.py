"""An agent without a language model: it trains scikit-learn models and writes a submission.

It needs numpy, pandas, scikit-learn and pillow and imports no other part of mlebench, so that its
folder can be copied into a sandbox and run there.
"""


def say(message: str) -> None:
    """Print a message that appears at once, also in a log file."""
    print(message, flush=True)
