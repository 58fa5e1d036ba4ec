"""The audit of dependencies: it skips without its data, and never hides a vulnerability."""

import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT

AUDIT = ROOT / ".ci" / "audit.py"

SKIPPED = '{"name": "a", "skip_reason": "not found on PyPI"}'
SAFE = '{"name": "b", "version": "1", "vulns": []}'
VULNERABLE = (
    '{"name": "c", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3", "4"]}, '
    '{"id": "PYSEC-2", "fix_versions": []}]}'
)

NO_NETWORK = "audit: skipped, since pip-audit cannot reach its data\n"

RUNS = {
    "safe": (f'{{"dependencies": [{SAFE}]}}', "", 0, "audit: 1 of 1 packages have been audited\n"),
    "partly": (
        f'{{"dependencies": [{SKIPPED}, {SAFE}]}}',
        *("", 0),
        "audit: 1 of 2 packages have been audited\n  a: not found on PyPI\n",
    ),
    "vulnerable": (
        f'{{"dependencies": [{SKIPPED}, {VULNERABLE}]}}',
        *("Found 2 known vulnerabilities", 1),
        "audit: 1 of 2 packages have been audited\n  a: not found on PyPI\n"
        "  c 2: PYSEC-1, fixed in 3, 4\n  c 2: PYSEC-2, fixed in no version\n",
    ),
    "no data": (
        f'{{"dependencies": [{SKIPPED}]}}',
        *("No known vulnerabilities found", 0),
        "audit: skipped, since pip-audit has no data on any package\n",
    ),
    "no network": ("", "requests.exceptions.ProxyError: HTTPSConnectionPool", 0, NO_NETWORK),
    "no name server": ("", "requests.exceptions.ConnectionError: resolve", 0, NO_NETWORK),
    "timeout": ("", "ERROR: Could not connect to PyPI's vulnerability feed", 0, NO_NETWORK),
    "crash": ("", "ValueError: x", 1, "audit: pip-audit fails:\nValueError: x\n\n"),
}


@pytest.mark.parametrize(("output", "errors", "status", "message"), RUNS.values(), ids=RUNS)
def test_audit(output: str, errors: str, status: int, message: str, tmp_path: Path) -> None:
    program = tmp_path / "pip-audit"
    program.write_text(f"#!/bin/sh\ncat <<'E'\n{output}\nE\ncat >&2 <<'E'\n{errors}\nE\nexit 1\n")
    program.chmod(0o755)

    run = subprocess.run(
        [sys.executable, AUDIT, program], capture_output=True, text=True, check=False
    )

    assert (run.stdout, run.stderr, run.returncode) == (message, "", status)


def test_all_packages_are_audited_but_those_of_every_environment(tmp_path: Path) -> None:
    program = tmp_path / "pip-audit"
    program.write_text(f'#!/bin/sh\nfor last; do :; done; cp "$last" {tmp_path}/requirements\n')
    program.chmod(0o755)

    subprocess.run([sys.executable, AUDIT, program], capture_output=True, check=False)

    names = {
        line.partition("==")[0] for line in (tmp_path / "requirements").read_text().splitlines()
    }
    assert names >= {"msgspec", "numpy", "scipy", "rapidfuzz", "pytest"}
    assert not names & {"anascore", "pip", "setuptools"}
