"""Audit: does prepared data let somebody win a medal without learning anything?"""

from mlebench.audit.audit import CHECKS, audit, audit_all, exit_code
from mlebench.audit.record import AuditRecord

__all__ = ["CHECKS", "AuditRecord", "audit", "audit_all", "exit_code"]
