"""The pages of the guide in the groups of `guide/groups.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path


def grouped_slugs(guide: Path) -> dict[str, list[str]]:
    """Names of the pages in folder `guide` by group, each in the order in which one needs them."""
    declared = tomllib.loads((guide / "groups.toml").read_text("utf-8"))
    groups: dict[str, list[str]] = declared["groups"]
    named = {slug for slugs in groups.values() for slug in slugs}
    pages = sorted(path.stem for path in guide.glob("*.md"))
    groups[declared["others"]] += [slug for slug in pages if slug not in named]
    return groups
