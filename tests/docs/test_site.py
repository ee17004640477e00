"""The documentation site: whole, without foreign requests, and strict about links."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from docs import site

FOREIGN = re.compile(r"""<(?:script|img|link|iframe)\b[^>]*\b(?:src|href)=["'](?:https?:)?//""")


def test_every_link_of_every_page_leads_somewhere() -> None:
    process = _build_site()

    assert (process.returncode, process.stderr) == (0, "")
    index = site.index(site.DOCS)
    page_names = [f"{folder}/{page.stem}" for folder in site.FOLDERS for page in _pages(folder)]
    assert [name for name in page_names if f"\n{name}\n" not in index] == []


def test_a_site_asks_nobody_else_and_links_that_lead_nowhere_are_a_failure(tmp_path: Path) -> None:
    docs, folder = tmp_path / "docs", tmp_path / "site"
    for folder_name in site.FOLDERS:
        (docs / folder_name).mkdir(parents=True)
    (docs / "guide" / "groups.toml").write_text('[Use]\nfirst-steps = "Begin."\nlibrary = "Ask."\n')
    page = "# First steps\n\n[A page](nowhere.md), [a heading](library.md#no-such-heading).\n"
    (docs / "guide" / "first-steps.md").write_text(page)
    (docs / "guide" / "library.md").write_text("# Library\n")

    process = _build_site(folder, docs)

    assert process.returncode == 1
    assert "nowhere.md" in process.stderr
    assert "no-such-heading" in process.stderr
    assert "plateau_perf.detect_all" in (folder / "library.html").read_text()
    assert [page.name for page in folder.rglob("*.html") if FOREIGN.search(page.read_text())] == []


def _build_site(*folders: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "docs.site", *map(str, folders)]
    return subprocess.run(
        command, cwd=site.DOCS.parent, capture_output=True, text=True, check=False
    )


def _pages(folder: str) -> list[Path]:
    return sorted((site.DOCS / folder).glob("*.md"))
