"""The pages of the guide in the groups of `guide/groups.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path


def grouped_summaries(guide: Path) -> dict[str, dict[str, str]]:
    """Summaries of the pages in folder `guide` by name, in their groups, as one needs them."""
    groups: dict[str, dict[str, str]] = tomllib.loads((guide / "groups.toml").read_text("utf-8"))
    return groups
