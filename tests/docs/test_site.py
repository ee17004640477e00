"""The documentation site: whole, without foreign requests, and strict about links."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from docs import site

FOREIGN = re.compile(r"""<(?:script|img|link|iframe)\b[^>]*\b(?:src|href)=["'](?:https?:)?//""")


def test_every_page_is_in_the_site_and_asks_nobody_else(tmp_path: Path) -> None:
    made = _made(tmp_path)

    assert (made.returncode, made.stderr) == (0, "")
    asked = [f"{folder}/{page.stem}" for folder in site.FOLDERS for page in _pages(folder)]
    assert [name for name in asked if not (tmp_path / f"{name}.html").is_file()] == []
    assert [
        page.name for page in tmp_path.rglob("*.html") if FOREIGN.search(page.read_text())
    ] == []
    assert "plateau_perf.detect_all" in (tmp_path / "library.html").read_text()


def test_links_that_lead_nowhere_are_a_failure(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    for folder in site.FOLDERS:
        (docs / folder).mkdir(parents=True)
    (docs / "guide" / "groups.toml").write_text('others = "Use"\n[groups]\nUse = []\n')
    page = "# First steps\n\n[A page](nowhere.md), [a heading](library.md#no-such-heading).\n"
    (docs / "guide" / "first-steps.md").write_text(page)
    (docs / "guide" / "library.md").write_text("# Library\n")

    made = _made(tmp_path / "site", docs)

    assert made.returncode == 1
    assert "nowhere.md" in made.stderr
    assert "no-such-heading" in made.stderr


def _made(*folders: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "docs.site", *map(str, folders)]
    return subprocess.run(
        command, cwd=site.DOCS.parent, capture_output=True, text=True, check=False
    )


def _pages(folder: str) -> list[Path]:
    return sorted((site.DOCS / folder).glob("*.md"))
