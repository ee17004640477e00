"""The documentation site: `python -m docs.site FOLDER [DOCS]` (`make site`); without a folder,
nothing is written, but every link and every page is checked.

Sphinx makes it from the pages of `docs/`, in the groups of the help, with the library's docstrings.
It needs no network to be made nor to be read. A link to a page or a heading that is not there ends
the command with status 1.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from sphinx.cmd.build import build_main

from analysis.site.guide_groups import grouped_summaries

DOCS: Final = Path(__file__).resolve().parent
FOLDERS: Final = ("guide", "detectors", "design")
BEGIN: Final = """# Plateau

Where does a performance time series become steady? People mark it, published rules make ground
truth of their marks, and every method is compared with it. Begin with
[the first steps](guide/first-steps.md), or with [the library](guide/library.md).
"""
LIBRARY: Final = """# Library reference

```{eval-rst}
.. automodule:: plateau_perf
   :members:
   :imported-members:
```
"""
SETTINGS: Final = {
    "project": "Plateau",
    "extensions": "myst_parser,sphinx.ext.autodoc,sphinx.ext.napoleon",
    "html_theme": "furo",
    "myst_heading_anchors": "4",
    "default_role": "code",
    "html_copy_source": "0",
    "html_title": "Plateau",
    "copyright": "the Plateau maintainers",
    "suppress_warnings": "misc.highlighting_failure",  # of languages without colours, as csv
}


def contents(caption: str, pages: list[str]) -> str:
    """A part of the table of contents."""
    return "\n".join(
        ["", "```{toctree}", f":caption: {caption}", ":maxdepth: 1", "", *pages, "```", ""]
    )


def index(docs: Path) -> str:
    """The first page: the groups of the help, then the methods, the library, the decisions."""
    groups = {
        caption: [f"guide/{slug}" for slug in slugs]
        for caption, slugs in grouped_summaries(docs / "guide").items()
    }
    groups["Methods"] = pages_of(docs, "detectors")
    groups["Library"] = ["library"]
    groups["Decisions"] = pages_of(docs, "design")
    return BEGIN + "".join(contents(*group) for group in groups.items())


def pages_of(docs: Path, folder: str) -> list[str]:
    """Its pages in the order of their names; capitals, hence README, come first."""
    return [f"{folder}/{page.stem}" for page in sorted((docs / folder).glob("*.md"))]


def build(folder: Path | None = None, docs: Path = DOCS) -> int:
    """Write the site to `folder`, if any; 0, or 1 where a link or a page has a fault."""
    with tempfile.TemporaryDirectory() as name:
        source = Path(name)
        for folder_name in FOLDERS:
            shutil.copytree(docs / folder_name, source / folder_name)
        (source / "index.md").write_text(index(docs), "utf-8")
        (source / "library.md").write_text(LIBRARY, "utf-8")
        settings = [f"-D{key}={value}" for key, value in SETTINGS.items()]
        builder = "html" if folder else "dummy"  # which resolves every link and writes nothing
        options = ["-q", "-C", "-W", "--keep-going", "-b", builder, *settings]
        return build_main([*options, name, str(folder or source / "built")])


if __name__ == "__main__":
    sys.exit(build(*map(Path, sys.argv[1:])))
