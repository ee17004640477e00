"""The list of disagreements, of people or of methods: its series in order, and its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from django.urls import reverse

from analysis.comparison.drilldown import Drilldown
from analysis.comparison.inputs import ComparedSeries, series_of_lines
from analysis.methods.method_style import MethodStyle
from analysis.references.yardsticks import Yardstick
from analysis.review.cases import Review
from annotate.blind import HiddenSeriesCount
from annotate.models import Campaign
from people.models import Study
from series.models import Series

Kind = Literal["people", "methods"]
RowWords = Callable[[Sequence[int]], list["RowFigure"]]


@dataclass(frozen=True, slots=True)
class RowFigure:
    """Words of one row: why it is listed, and the figure of its order.

    is_warning  the figure is a word that waits for somebody: undecided
    """

    reason: str
    figure: str
    title: str = ""
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class DisagreementRow:
    """One row of the list; `series` has the outline that it draws."""

    line: ComparedSeries
    series: Series
    url: str
    row_figure: RowFigure


@dataclass(frozen=True, eq=False)
class DisagreementList:
    """Series in order, with the address that lists them again.

    campaign           whose truth and decisions the list is about; None for another yardstick
    yardstick          None for a campaign that makes no ground truth
    query              of the address
    figures            words of the rows at some places of `lines`
    figure_head        what the figures are
    people, methods    count the list of each kind, for the page alone; None where it is not known
    series_count       series that were looked at
    hidden_count       series that are kept from the reader
    looks              methods with an answer to any series
    review, drilldown  what the list was made of
    """

    kind: Kind
    study: Study
    campaign: Campaign | None
    yardstick: Yardstick | None
    query: str
    lines: Sequence[ComparedSeries]
    figures: RowWords
    figure_head: str
    people: Callable[[], int | None]
    methods: Callable[[], int | None]
    series_count: int
    hidden_count: HiddenSeriesCount | None = None
    looks: Sequence[MethodStyle] = ()
    title: str = ""
    review: Review | None = None
    drilldown: Drilldown | None = None

    @cached_property
    def _position_by_id(self) -> dict[str, int]:
        return {line.public_id: position for position, line in enumerate(self.lines)}

    @property
    def url(self) -> str:
        return reverse("disagreements", args=[self.study.slug]) + self.query

    def position(self, public_id: str) -> int | None:
        """Position of a series in the order; None for a series that is not listed."""
        return self._position_by_id.get(public_id)

    def neighbour_address(self, public_id: str, step: int) -> str:
        """The address of the case before or after; of the first for one that is not listed."""
        position = self.position(public_id)
        if position is None:
            return self.address(self.lines[0]) if self.lines and step > 0 else ""
        return (
            self.address(self.lines[position + step])
            if 0 <= position + step < len(self.lines)
            else ""
        )

    def address(self, line: ComparedSeries) -> str:
        """The address of one case of the list."""
        return self.address_of(line.public_id)

    def address_of(self, public_id: str) -> str:
        """The address of a series in this list, listed or not."""
        return reverse("disagreement", args=[self.study.slug, public_id]) + self.query

    def rows(self, page_positions: Iterable[int]) -> list[DisagreementRow]:
        """Rows of a page of the list: values and outlines are read for these alone."""
        positions = list(page_positions)
        lines = [self.lines[position] for position in positions]
        series_by_pk = series_of_lines(lines)
        return [
            DisagreementRow(line, series_by_pk[line.pk], self.address(line), row_figure)
            for line, row_figure in zip(lines, self.figures(positions), strict=True)
        ]
