"""The hold-out for training: all files are in one archive."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(
    archives={
        "mlsp_contest_dataset.zip": {
            f"mlsp_contest_dataset/{folder}": folder
            for folder in ("essential_data", "supplemental_data")
        }
    },
    renumbers=True,
)
