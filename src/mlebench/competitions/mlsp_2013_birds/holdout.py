"""The hold-out for training: recordings in the order of their hashes, all files in one archive."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(
    tables={"essential_data/CVfolds_2.txt": "rec_id"},
    archives={
        "mlsp_contest_dataset.zip": {
            f"mlsp_contest_dataset/{folder}": folder
            for folder in ("essential_data", "supplemental_data")
        }
    },
    renumbers=True,
)
