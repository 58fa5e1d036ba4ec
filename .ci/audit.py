"""Audit of the installed packages for known vulnerabilities.

    python .ci/audit.py PIP_AUDIT

runs the program PIP_AUDIT (pip-audit) on the packages of this Python. The exit status is 1 if a
package has a known vulnerability, or if the audit fails for another reason than the network. An
audit that cannot reach its data says so, and the exit status is 0. Packages that every virtual
environment has (pip, setuptools) are not audited, since anascore does not use them.
"""

import json
import re
import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path

NOT_AUDITED = {"anascore", "pip", "setuptools", "wheel"}

UNREACHABLE = re.compile(
    r"\.(ConnectionError|ConnectTimeout|ReadTimeout|ProxyError)\b|Could not connect"
)
"""Part of what pip-audit prints if it cannot reach its data."""


def installed() -> list[str]:
    """Return the installed packages as requirements."""
    packages = {package.name.lower(): package.version for package in distributions()}
    return sorted(f"{name}=={v}" for name, v in packages.items() if name not in NOT_AUDITED)


def main(program: str) -> int:
    """Run pip-audit, print a summary, and return the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        requirements = Path(folder) / "requirements.txt"
        requirements.write_text("\n".join(installed()), encoding="utf-8")
        options = ("--no-deps", "--disable-pip", "--format=json", "--progress-spinner=off")
        run = subprocess.run(
            [program, *options, "-r", str(requirements)],
            capture_output=True,
            text=True,
            check=False,
        )
    try:
        packages = json.loads(run.stdout)["dependencies"]
    except ValueError:
        if UNREACHABLE.search(run.stderr):
            print("audit: skipped, since pip-audit cannot reach its data")
            return 0
        print(f"audit: pip-audit fails:\n{run.stderr}")
        return 1
    audited = [package for package in packages if "skip_reason" not in package]
    if not audited:
        print("audit: skipped, since pip-audit has no data on any package")
        return 0
    print(f"audit: {len(audited)} of {len(packages)} packages have been audited")
    for package in packages:
        if "skip_reason" in package:
            print(f"  {package['name']}: {package['skip_reason']}")
    vulnerabilities = [(package, advisory) for package in audited for advisory in package["vulns"]]
    for package, advisory in vulnerabilities:
        fixed = ", ".join(advisory["fix_versions"]) or "no version"
        print(f"  {package['name']} {package['version']}: {advisory['id']}, fixed in {fixed}")
    return int(bool(vulnerabilities))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
