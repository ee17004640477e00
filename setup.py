"""The wheel: one importable name, `plateau_perf`, with both libraries of the checkout inside.

In the checkout `detectors` and `formats` stand beside it. In the wheel they are
`plateau_perf.detectors` and `plateau_perf.formats`, and every import of them says so.
"""

from __future__ import annotations

import re
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

NAME = "plateau_perf"
INSIDE = ("detectors", "formats")
IMPORTED = re.compile(rf"^(\s*)(from|import) ({'|'.join(INSIDE)})\b", re.MULTILINE)


def relocated(source: str) -> str:
    """The text of a module with its imports of the libraries as they are called in the wheel."""
    return IMPORTED.sub(_in_wheel, source)


def _in_wheel(line: re.Match[str]) -> str:
    space, word, name = line.groups()
    return f"{space}from {NAME} import {name}" if word == "import" else f"{space}from {NAME}.{name}"


class RelocatingBuild(build_py):
    """Copies the modules, and writes those imports."""

    def run(self) -> None:
        super().run()
        for path in Path(self.build_lib, NAME).rglob("*.py"):
            path.write_text(relocated(path.read_text("utf-8")), "utf-8")


def packages() -> dict[str, str]:
    """Name in the wheel and folder here of every package."""
    package_folders = {
        f"{NAME}.{package}": package.replace(".", "/")
        for root in INSIDE
        for package in [root, *(f"{root}.{package}" for package in find_packages(root))]
    }
    return {NAME: NAME, **package_folders}


setup(
    packages=list(packages()),
    package_dir=packages(),
    package_data={
        NAME: ["py.typed"],
        f"{NAME}.detectors": ["costs.json", "preparation/gains.json", "weights/*"],
    },
    cmdclass={"build_py": RelocatingBuild},
)
