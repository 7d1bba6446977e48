"""Single-file programs that run inside a sandbox or start one.

`bridge.py` and `crawler.py` run inside a sandbox, where our package does not exist; `launcher.py`
runs with `-I -S`, which hides it. They import the standard library only and repeat what they need.
"""
