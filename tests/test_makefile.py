"""The Makefile: `make` alone lists every target, each with what it does."""

from __future__ import annotations

import re
import subprocess

from evidence.bench.processes import ROOT


def test_help_names_every_target() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^\.PHONY: ([a-z-]+)$", text, flags=re.MULTILINE))

    output = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert {
        line.split()[1] for line in output.splitlines() if line.startswith("  make ")
    } == targets
    assert {"run", "test", "bench", "docs", "screenshots", "demo-record", "replicate"} <= targets


def test_every_module_that_a_target_starts_is_there() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    modules = set(re.findall(r"python -m ([a-z_.]+)", text))

    missing_modules = [name for name in modules if not _exists(name)]

    assert missing_modules == []


def _exists(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
