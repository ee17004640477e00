"""Rules of pages that a machine can check on any open page; docs/design/pages.md has them all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

FAULTS: Final = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
MOST_CONTROLS: Final[Mapping[str, int]] = {"comparison": 60, "run-new": 80}
"""Controls that a page may show at most, by the first words of its name in the walk."""
ANSWERS_FIRST: Final = (
    *("comparison", "what-to-do", "campaign-truth", "campaign-agreement", "run-new"),
    *("large-comparison", "large-run", "large-truth", "large-agreement", "many-agreement"),
    *("state-run-going", "state-run-failed", "many-comparison", "many-run", "many-truth"),
)
"""First words of the names of pages that begin with the answer as a sentence."""
UNANSWERED: Final = frozenset(
    {
        "campaign-agreement",
        "campaign-mine",
        "disagreements-agreement",
        "disagreements-least-sure",
        "large-disagreements",
    }
)
"""Pages of campaigns without answers, or without an open case: they say so and show no list."""
METHOD_COUNTS: Final[Mapping[str, re.Pattern[str]]] = {
    "welcome": re.compile(r"(\d+) detectors answer"),
    "methods": re.compile(r"(\d+) ways to answer"),
    "run-new": re.compile(r"\d+ of (\d+)[.;\s]"),
}
"""Where pages say how many methods there are."""


def faults(page: Page, name: str) -> list[str]:
    """Faults of the open page `name` of the walk; a page of a made-up state may be empty."""
    limit = next((limit for word, limit in MOST_CONTROLS.items() if word in name), None)
    may_be_empty = name.startswith("state-") or name in UNANSWERED
    answers_first = name == "run" or name.startswith(ANSWERS_FIRST)
    settings = {"mayBeEmpty": may_be_empty, "mostControls": limit, "answersFirst": answers_first}
    faults_found: list[str] = page.evaluate(FAULTS, settings)
    return faults_found


def method_count(page: Page, name: str) -> int | None:
    """How many methods the page says there are; None for a page that does not say it."""
    pattern = METHOD_COUNTS.get(name)
    match = pattern and pattern.search(page.inner_text("main"))
    return int(match[1]) if match else None
