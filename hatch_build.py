"""Builds the page into the wheel, so that an installed Ludothèque can serve it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildPage(BuildHookInterface[Any]):
    """Runs for wheels; an editable install serves what `make play` has built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        page = Path(self.root) / "src" / "ludotheque" / "server" / "static" / "index.html"
        if not page.exists():
            if shutil.which("npm") is None:
                raise RuntimeError("building the page needs Node 20 or newer with npm")
            subprocess.run(["npm", "ci"], cwd=self.root, check=True)
            subprocess.run(["npm", "run", "build"], cwd=self.root, check=True)
