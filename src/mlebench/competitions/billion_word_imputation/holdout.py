"""The hold-out for training: hashes of sentences decide, which get new numbers."""

from functools import partial

from mlebench.archives.raw import Raw
from mlebench.competitions.billion_word_imputation.competition import TEST_SHARE, LostWord, prepare
from mlebench.competitions.billion_word_imputation.revision import draw_word
from mlebench.recipes import with_public_sample
from mlebench.recipes.hashes import hash_of_file
from mlebench.recipes.holdouts import HoldOut, is_held_out


def lose_by_hash(archive: Raw) -> LostWord:
    """Also by a hash of the whole archive, which a policy does not have.

    Else the hash of a sentence would tell whether a guess of its lost word is right.
    """
    salt = hash_of_file(archive)

    def lost_word(line: str) -> int | None:
        key = salt + line.strip().encode()
        count = len(line.split())
        if count <= 2 or not is_held_out(key, TEST_SHARE):
            return None
        return draw_word(key, count)

    return lost_word


hold_out = HoldOut(
    tables={}, prepare=with_public_sample(partial(prepare, lose=lose_by_hash)), renumbers=True
)
