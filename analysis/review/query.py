"""The query of a review: each setting of its address is declared here, once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from analysis.comparison.query import ComparisonQuery
from analysis.review.reasons import CODES
from analysis.runs.certainty import LEAST_SURE_FIRST
from analysis.web.query_fields import tolerance_field
from people.query_form import PageControl, QueryForm, choice_field, text_field

Order = Literal["disputed", "change", "sure", "list", "random"]
Shown = Literal["open", "waiting", "closed"]
ORDERS: Final[dict[Order, str]] = {
    "disputed": "most disputed first",
    "change": "largest change of the result first",
    "sure": LEAST_SURE_FIRST,
    "list": "by name",
    "random": "in random order",
}
SHOWN: Final[dict[Shown, str]] = {
    "open": "open",
    "waiting": "waiting for annotators",
    "closed": "accepted or excluded",
}
EVERY, ANY = "", "any"
_NAME: Final = {"size": "10", "data-filter": True}


@dataclass(frozen=True, slots=True)
class ReviewQuery(QueryForm):
    """One review.

    yardstick      code of a yardstick; empty for the study's default
    why            codes of reasons; none means those that are usual for the yardstick
    method         whose answer differs: EVERY, ANY, or a method by name
    first, second  a pair of methods by name
    tolerance      iterations; None is 5 % of each series' length
    """

    yardstick: str = text_field("y", "yardstick")
    why: tuple[str, ...] = choice_field(
        "why", "reason", CODES, default=(), otherwise="the other reasons"
    )
    method: str = text_field("m", "method")
    first: str = text_field("a", "first")
    second: str = text_field("b", "second")
    tolerance: int | None = tolerance_field()
    dataset: str = text_field("d", "dataset")
    text: str = text_field("q", "text", control=PageControl("Name", empty="any", attributes=_NAME))
    order: Order = choice_field(
        "o",
        "order",
        ORDERS.keys(),
        otherwise=ORDERS["disputed"],
        control=PageControl("Order", shown=ORDERS),
    )
    shown: Shown = choice_field(
        "state", "state", SHOWN.keys(), otherwise=SHOWN["open"], control=PageControl("Show")
    )
    presenting: bool = choice_field(
        "p", "presenting", {"1": True}, default=False, otherwise="the list"
    )

    @property
    def pair(self) -> tuple[str, str]:
        return self.first, self.second

    @property
    def compared(self) -> ComparisonQuery:
        """The comparison whose answers are read."""
        return ComparisonQuery(
            yardstick=self.yardstick, tolerance=self.tolerance, dataset=self.dataset, text=self.text
        )
