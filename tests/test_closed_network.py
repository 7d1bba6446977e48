"""Nothing of ours, or of a library that we use, contacts anybody but the provider."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.closed_network import contacted, why_not

IMPORT_ALL = """
import importlib, pkgutil
import mlebench
for module in pkgutil.walk_packages(mlebench.__path__, "mlebench."):
    parts = module.name.split(".")
    is_program = parts[-1] == "__main__" or parts[1:3] == ["agents", "coding"]
    # Those of trainers need the trainer's own libraries.
    is_adapter = parts[1:3] == ["gym", "adapters"] and len(parts) > 3
    if not (is_program or is_adapter) and not parts[-1].startswith("kernels"):
        importlib.import_module(module.name)
"""
CONTACT = """
import socket
try:
    socket.create_connection(("192.0.2.7", 443), 0.2)
except OSError:
    pass
try:
    socket.getaddrinfo("prices.example.org", 443)
except OSError:
    pass
"""


@pytest.fixture(scope="module", autouse=True)
def closed() -> None:
    if reason := why_not():
        pytest.skip(reason)


def test_a_contact_is_seen(tmp_path: Path) -> None:
    found, _ = contacted(tmp_path, sys.executable, "-c", CONTACT)
    assert "address 192.0.2.7:443" in found
    assert any(line.startswith("name prices.example.org") for line in found)


@pytest.mark.long
def test_imports_contact_nobody(tmp_path: Path) -> None:
    """All modules of ours, in one process, with the libraries that they import."""
    found, _ = contacted(tmp_path, sys.executable, "-W", "ignore", "-c", IMPORT_ALL)
    assert found == []


@pytest.mark.long
def test_a_run_with_a_model_contacts_nobody(tmp_path: Path) -> None:
    """Preparation, sandbox, gateway, validation and grading; the provider is on loopback."""
    code = (
        "import sys; from pathlib import Path\n"
        "from tests.trials.test_check import make_agent\n"
        "from mlebench.trials.check import check_agent\n"
        "found = check_agent(make_agent(Path(sys.argv[1]), 'chat'), sandbox=sys.argv[2])\n"
        "sys.exit(None if found.is_ok else f'{found.reason}: {found.log}')\n"
    )
    folder = str(tmp_path / "small")
    found, _ = contacted(tmp_path, sys.executable, "-c", code, folder, "bubblewrap")
    assert found == []


@pytest.mark.long
def test_the_demonstration_contacts_nobody(tmp_path: Path) -> None:
    words = ["-m", "mlebench", "demo", "--dir", str(tmp_path / "demo")]
    found, _ = contacted(tmp_path, sys.executable, *words)
    assert found == []
