"""Third-party files are those that the table beside them names, byte for byte."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

VENDOR = Path(__file__).parents[1] / "static" / "vendor"
ROW = re.compile(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", re.MULTILINE)
NAMED = dict(ROW.findall((VENDOR / "README.md").read_text(encoding="utf-8")))


def test_every_script_is_named_with_its_digest() -> None:
    scripts = {path.relative_to(VENDOR).as_posix() for path in VENDOR.rglob("*.js")}

    assert scripts == set(NAMED)


def test_every_digest_is_that_of_the_file() -> None:
    found = {name: hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() for name in NAMED}

    assert found == NAMED


def test_every_folder_keeps_the_licence() -> None:
    folders = [path for path in VENDOR.iterdir() if path.is_dir()]

    assert [path.name for path in folders if not (path / "LICENSE").is_file()] == []
