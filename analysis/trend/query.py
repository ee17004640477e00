"""The query of a trend, of an address or a command: each setting is declared here, once."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.trend.table import ORDERS, Order
from people.query_form import CommandOption, PageControl, QueryForm, choice_field, text_field


@dataclass(frozen=True, slots=True)
class TrendQuery(QueryForm):
    """`start` is the code of a start, as `start_named` takes it; empty for the default."""

    start: str = text_field(
        "start",
        "start",
        option=CommandOption(
            "ground-truth, a method's slug, half or fixed:N; default: the method with most "
            "answers, else half",
            "CODE",
        ),
        control=PageControl("Steady from"),
    )
    order: Order = choice_field(
        "order", "order", ORDERS, option=CommandOption(), control=PageControl("Order")
    )
