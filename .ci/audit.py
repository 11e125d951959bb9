"""Known weaknesses of what is locked: asks PyPI and the npm registry through pip-audit and npm.

Exit code 1 where there is one. Where a registry does not tell, that is said and is no failure: whoever
changes the code cannot mend the network.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def python_packages() -> list[str]:
    """A line for each weakness of a Python package."""
    options = ["--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner", "off"]
    told = _told([sys.executable, "-m", "pip_audit", *options, "--requirement", "requirements.lock"])
    packages = told.get("dependencies", [])
    unknown = [package for package in packages if "skip_reason" in package]
    if len(unknown) == len(packages):
        print("NOT AUDITED: PyPI tells nothing of weaknesses from here")
    else:
        print(f"{len(packages) - len(unknown)} Python packages audited, {len(unknown)} unknown to PyPI")
    return [
        f"{package['name']} {package['version']}: {weakness['id']}, mended in {weakness['fix_versions']}"
        for package in packages
        for weakness in package.get("vulns", [])
    ]


def front_end_packages() -> list[str]:
    """A line for each weakness of an npm package."""
    if shutil.which("npm") is None:
        print("NOT AUDITED: there is no npm here")
        return []
    told = _told(["npm", "audit", "--json", "--package-lock-only"])
    if "vulnerabilities" not in told:
        print("NOT AUDITED: the npm registry tells nothing of weaknesses from here")
        return []
    print("The npm packages are audited")
    return [f"{name}: {weakness['severity']}" for name, weakness in told["vulnerabilities"].items()]


def _told(command: list[str]) -> dict:
    ran = subprocess.run(  # noqa: S603 (the commands above)
        command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    try:
        return json.loads(ran.stdout)
    except ValueError:
        return {}


if __name__ == "__main__":
    found = [*python_packages(), *front_end_packages()]
    for line in found:
        print(line)
    sys.exit(1 if found else 0)
