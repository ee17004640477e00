"""Figures that two publications print, or that their programs give, and what cannot be had.

They stand in `published_figures.csv` and `unreachable_figures.csv`. Each is held against ours by
`python -m evidence.replication`; the page *What could not be reproduced, and why* is written from
them (`evidence.replication.reproduction_page`). Figures only: no published series, mark or answer
stands here.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

FOLDER: Final = Path(__file__).resolve().parent
KERNEL: Final = (
    "Beseda, Cortellessa, Di Pompeo, Traini & Tucci 2025, A kernel-based approach for accurate "
    "steady-state detection in performance time series (preprint and journal version)"
)
LEARNED: Final = (
    "Traini, Di Menna & Cortellessa 2024, AI-driven Java performance testing, on the data of "
    "Traini, Cortellessa, Di Pompeo & Tucci 2023"
)


@dataclass(frozen=True, slots=True)
class FigureGroup:
    """Figures that are printed together: what `--only` names, and where they are published."""

    slug: str
    publication: str
    title: str

    @property
    def command(self) -> str:
        return f"python -m evidence.replication --only {self.slug}"


GROUPS: Final = (
    FigureGroup("sums-377", KERNEL, "Distances on 377 series (preprint; journal, Figure 11)"),
    FigureGroup("errors-377", KERNEL, "Errors on 377 series"),
    FigureGroup("sums-202", KERNEL, "Distances on 202 series (journal, Figure 3)"),
    FigureGroup("table-1", KERNEL, "Table 1, and the sign test of absolute errors"),
    FigureGroup(
        "tests",
        KERNEL,
        "The same tests to all digits, of absolute errors, and the form of differences",
    ),
    FigureGroup("yes-no", KERNEL, "Steady or never, 586 series"),
    FigureGroup("mcnemar", KERNEL, "Cochran's Q and McNemar's test"),
    FigureGroup("segments", LEARNED, "Segments and folds (section 4)"),
    FigureGroup("table-2", LEARNED, "Table 2: segments, mean of five folds"),
    FigureGroup(
        "stops", LEARNED, "Figure 4, Tables 3 to 7: ROCKET and FCN, from their published weights"
    ),
    FigureGroup("figure-4", LEARNED, "Figure 4: over-, under- and exact estimates"),
    FigureGroup("table-5", LEARNED, "Table 5: measurement deviation and testing time"),
    FigureGroup("pairs", LEARNED, "Pairs of techniques, as Tables 3, 4, 6 and 7 compare models"),
)
COMPARISON: Final = frozenset(each.slug for each in GROUPS if each.publication == KERNEL)
"""Groups that need answers of detectors; the others need the published stops."""

BEYOND: Final = frozenset({"table-2", "stops"})
"""Groups that nobody can compute from the two packages alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFigure:
    """One published figure.

    key      what the same figure is called among ours
    value    as published, with its digits
    origin   printed in the publication, or what its program gives on its data without being printed
    found    what the published data give instead of the printed value, with its digits
    random   hangs on random numbers whose seed is not published
    why      reason of `found`; of a value that ours is only put beside, if there is no `found`
    part     ours on the 396 benchmarks that the tests read, where that was computed
    """

    key: str
    group: str
    what: str
    value: str
    origin: Literal["printed", "recomputed"] = "printed"
    found: str = ""
    random: bool = False
    why: str = ""
    part: str = ""

    @property
    def beside(self) -> bool:
        """True where ours cannot be held to the value."""
        return bool(self.why) and not self.found

    @property
    def differs(self) -> bool:
        """True where the printed value cannot be had from the published data."""
        return bool(self.found)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreachableFigure:
    """Published figure without one of ours to stand beside it, or that is put in words."""

    publication: str
    where: str
    what: str
    why: str
    command: str


@cache
def published_figures() -> tuple[PublishedFigure, ...]:
    """All of them, group by group."""
    rows = _rows("published_figures.csv")
    return tuple(PublishedFigure(**{**row, "random": row["random"] == "yes"}) for row in rows)


@cache
def unreachable_figures() -> tuple[UnreachableFigure, ...]:
    publication_names = {"kernel": KERNEL, "learned": LEARNED}
    rows = _rows("unreachable_figures.csv")
    return tuple(
        UnreachableFigure(**{**row, "publication": publication_names[row["publication"]]})
        for row in rows
    )


def _rows(name: str) -> Iterator[dict[str, Any]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream)
