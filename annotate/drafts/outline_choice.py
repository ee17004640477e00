"""Series chosen one by one from their outlines: what is picked, and one page to pick from.

What is picked stays picked while filters narrow what is shown, so that a few may be taken of one
system and a few of another. Nothing but values and names is read here: neither marks nor answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.http import QueryDict

from series.models import Series
from series.models.series import SeriesQuerySet
from series.reading.captions import captions

A_PAGE: Final = 48  # outlines; rows of two, three, four and six are full
MOST: Final = 10_000  # series that are picked one by one
AT_A_TIME: Final = 500  # public ids in one query: SQLite may be built for no more than 999


@dataclass(frozen=True, slots=True)
class OutlineChoice:
    """Public ids of the picked series, and the page of outlines (from 1) that is asked for."""

    picked: frozenset[str]
    page: int = 1

    @classmethod
    def from_form(cls, data: QueryDict) -> OutlineChoice:
        """Read what the form says.

        picked  ids, as the last page of outlines was made
        shown   ids of that page, each picked now if it is among `pick`, its ticked boxes
        turn    the page to go to; without it the page is the same, and the first of other filters
        """
        picked_ids, shown_ids = (set(data.get(name, "").split()) for name in ("picked", "shown"))
        same_page = data.get("at", "") if data.get("left_by") == filters_of(data) else ""
        page = data.get("turn") or same_page
        return cls(
            frozenset(picked_ids - shown_ids | set(data.getlist("pick"))),
            int(page) if page.isdecimal() and len(page) < 9 else 1,
        )

    def add_all(self, series: SeriesQuerySet) -> OutlineChoice:
        """Add those of `series`: as many of them as still fit."""
        ids = series.values_list("public_id", flat=True).iterator()
        new_ids = (public_id for public_id in ids if public_id not in self.picked)
        room = max(MOST - len(self.picked), 0)
        return OutlineChoice(self.picked | set(islice(new_ids, room)), self.page)

    def without(self, series: SeriesQuerySet) -> OutlineChoice:
        """Take out all of `series`."""
        return OutlineChoice(
            self.picked - {public_id for _, public_id in self.among(series)}, self.page
        )

    def among(self, series: SeriesQuerySet) -> Iterator[tuple[int, str]]:
        """Primary key and public id of each of `series` that is picked."""
        for ids in _batches(sorted(self.picked)):
            batch_series = series.filter(public_id__in=ids).order_by()
            yield from batch_series.values_list("pk", "public_id")


def filters_of(data: QueryDict) -> str:
    """Join what narrows the outlines to one text: equal for equal filters."""
    return "\n".join(data.get(name, "") for name in ("dataset", "recording", "text", "only"))


def _batches(ids: Collection[str]) -> Iterator[list[str]]:
    remaining_ids = iter(ids)
    while batch := list(islice(remaining_ids, AT_A_TIME)):
        yield batch


@dataclass(frozen=True, slots=True)
class OutlineTile:
    """One outline to pick: `whole` is its whole name, `name` and `detail` its caption."""

    series: Series
    name: str
    detail: str
    whole: str
    picked: bool


@dataclass(frozen=True, slots=True)
class OutlinePage:
    """`count` series fit the filters, `here` of them are picked, and `elsewhere` of the others."""

    tiles: list[OutlineTile]
    count: int
    here: int
    elsewhere: int
    number: int
    pages: int
    picked: str  # public ids
    shown: str

    @property
    def first(self) -> int:
        return (self.number - 1) * A_PAGE + 1

    @property
    def last(self) -> int:
        return self.first + len(self.tiles) - 1

    @property
    def beside(self) -> int:
        """Number of series that are picked on other pages."""
        return self.here + self.elsewhere - sum(tile.picked for tile in self.tiles)


def outline_page(series: SeriesQuerySet, choice: OutlineChoice) -> OutlinePage:
    """The page of `series` that `choice` asks for, or the last one."""
    count = series.count()
    pages = max(1, -(-count // A_PAGE))
    number = min(max(choice.page, 1), pages)
    start = (number - 1) * A_PAGE
    # Only keys are sorted: 10,000 outlines in a database's sort are 47 MB.
    keys = list(series.values_list("pk", flat=True)[start : start + A_PAGE])
    rows = Series.objects.select_related("benchmark", "recording").in_bulk(keys)
    tiles = list(_tiles([rows[key] for key in keys], choice.picked))
    picked_count = sum(1 for _ in choice.among(series))
    return OutlinePage(
        tiles,
        count=count,
        here=picked_count,
        elsewhere=len(choice.picked) - picked_count,
        number=number,
        pages=pages,
        picked=" ".join(sorted(choice.picked)),
        shown=" ".join(tile.series.public_id for tile in tiles),
    )


def _tiles(rows: list[Series], picked_ids: Collection[str]) -> Iterator[OutlineTile]:
    for series, caption in zip(rows, captions(rows, rows), strict=True):
        full_name = (str(series.benchmark), f"fork {series.fork}", series.recording.label)
        yield OutlineTile(
            series,
            caption.name,
            caption.detail,
            " · ".join(full_name),
            series.public_id in picked_ids,
        )
