"""The query of the disagreements: each setting of their address is declared here, once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, Self

from django.http import QueryDict

from analysis.comparison.query import ComparisonQuery
from analysis.review.reasons import CODES
from analysis.runs.certainty import LEAST_SURE_FIRST
from analysis.web.query_fields import tolerance_field
from people.query_form import PageControl, QueryForm, choice_field, text_field
from people.query_settings import Settings, mapped_choice

By = Literal["", "people", "methods"]
Order = Literal["change", "disputed", "least-sure", "name", "random"]
Shown = Literal["open", "waiting", "closed"]
ORDERS: Final[dict[Order, str]] = {
    "change": "result may change",
    "disputed": "most disputed first",
    "least-sure": LEAST_SURE_FIRST,
    "name": "by name",
    "random": "in random order",
}
SHOWN: Final[dict[Shown, str]] = {
    "open": "open",
    "waiting": "waiting for annotators",
    "closed": "kept or left out",
}
EVERY, ANY = "", "any"
_OLD_ORDERS: Final[dict[str, Order]] = {
    "sure": "least-sure",
    "list": "name",
    "disputed": "disputed",
    "change": "change",
    "random": "random",
}
_OLD_ORDER: Final = {"o": mapped_choice("order", _OLD_ORDERS, fallback=ORDERS["change"])}
_BY: Final = ("people", "methods")
_NAME: Final = {"size": "10", "data-filter": True}


@dataclass(frozen=True, slots=True)
class ByQuery(QueryForm):
    """The switch of the list: what people disagree about, or methods; empty: what there is."""

    by: By = choice_field(
        "by", "by", ("people", "methods"), default="", fallback="people’s disagreements"
    )

    @classmethod
    def split(cls, query: QueryDict) -> tuple[Self, QueryDict]:
        """The switch, and the query without it: a comparison has a setting of the same name."""
        remaining_query = query.copy()
        values = query.getlist("by")
        remaining_query.setlist("by", [value for value in values if value not in _BY])
        chosen_values = [value for value in values if value in _BY]
        return cls(chosen_values[-1] if chosen_values else ""), remaining_query  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class ReviewQuery(QueryForm):
    """One list of what people disagree about.

    figure         of the agreement of a campaign, whose series are listed; empty: by reasons
    yardstick      code of a yardstick; empty for the study's default
    why            codes of reasons; none means those that are usual for the yardstick
    method         whose answer differs: EVERY, ANY, or a method by name
    first, second  a pair of methods by name
    tolerance      iterations; None is 5 % of each series' length
    """

    yardstick: str = text_field("y", "yardstick")
    why: tuple[str, ...] = choice_field(
        "why", "reason", CODES, default=(), fallback="the other reasons"
    )
    method: str = text_field("m", "method")
    first: str = text_field("a", "first")
    second: str = text_field("b", "second")
    tolerance: int | None = tolerance_field()
    dataset: str = text_field("d", "dataset")
    text: str = text_field("q", "text", control=PageControl("Name", empty="any", attributes=_NAME))
    order: Order = choice_field(
        "order",
        "order",
        ORDERS.keys(),
        fallback=ORDERS["change"],
        control=PageControl("Order", shown=ORDERS),
    )
    figure: str = text_field("of", "of")
    shown: Shown = choice_field(
        "state", "state", SHOWN.keys(), fallback=SHOWN["open"], control=PageControl("Show")
    )
    presenting: bool = choice_field(
        "p", "presenting", {"1": True}, default=False, fallback="the list"
    )

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        """Read a query string; one of before the lists were merged names its order `o`."""
        review_query = super(ReviewQuery, cls).from_query(query)
        old_order = _OLD_ORDERS.get(query.get("o", ""))
        return (
            review_query
            if old_order is None or "order" in query
            else review_query.changed(order=old_order)
        )

    @classmethod
    def settings(cls) -> Settings:
        """The settings of the address, with the old name of the order."""
        return {**super(ReviewQuery, cls).settings(), **_OLD_ORDER}

    @property
    def pair(self) -> tuple[str, str]:
        return self.first, self.second

    @property
    def comparison_query(self) -> ComparisonQuery:
        """The comparison whose answers are read."""
        return ComparisonQuery(
            yardstick=self.yardstick, tolerance=self.tolerance, dataset=self.dataset, text=self.text
        )
