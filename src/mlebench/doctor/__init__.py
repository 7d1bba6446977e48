"""Checks of this machine: account, rules, disk, sandboxes, GPUs."""
