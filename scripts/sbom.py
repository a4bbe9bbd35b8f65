"""Write a bill of materials (CycloneDX) of what `pip install sintra` brings into an empty environment."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
FILE = ROOT / "dist" / "sintra.cdx.json"


def main() -> int:
    """Install the package and the tool into environments of their own, and let the tool list the first."""
    FILE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        listed, tool = Path(name, "listed"), Path(name, "tool")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", listed], check=True)
        subprocess.run([sys.executable, "-m", "venv", tool], check=True)
        pip = [f"{tool}/bin/python", "-m", "pip", "--disable-pip-version-check", "--quiet"]
        lister = [f"{tool}/bin/cyclonedx-py", "environment", "--output-reproducible", "--of", "JSON"]
        about = ["--pyproject", "pyproject.toml", "--mc-type", "application", "-o", str(FILE)]
        pure = os.environ | {"SINTRA_PURE": "1"}
        subprocess.run([*pip, "install", "cyclonedx-bom>=5"], check=True)
        subprocess.run([*pip, "--python", str(listed), "install", str(ROOT)], env=pure, check=True)
        subprocess.run([*lister, *about, str(listed)], cwd=ROOT, check=True)
    sys.stdout.write(f"{FILE.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
