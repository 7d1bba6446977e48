"""Checks of this machine before the work: account, rules, disk, sandboxes, GPUs."""
