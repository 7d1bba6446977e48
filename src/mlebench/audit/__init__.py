"""Audit: can a medal be won on prepared data without learning anything?"""

from mlebench.audit.audit import CHECKS, audit, audit_all, exit_code

__all__ = ["CHECKS", "audit", "audit_all", "exit_code"]
