"""The query of a trend, of an address or a command: each setting is declared here, once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from analysis.statistics.trend_groups import USUAL, TrendPrecision
from people.query_form import (
    CommandOption,
    PageControl,
    QueryForm,
    choice_field,
    parsed_field,
    text_field,
)
from people.query_settings import AddressSetting

Order = Literal["date", "build"]
ORDERS: Final[tuple[Order, ...]] = ("date", "build")
EXPECTED: Final = "bits from 1 to 48 such as 12, or a resolution in the unit such as abs:0.5"


@dataclass(frozen=True, slots=True)
class TrendQuery(QueryForm):
    """How recordings become a trend.

    start      the code of a start, as `start_named` takes it; empty for the default
    as_of      only recordings that were measured by the end of that day, UTC; None for all
    precision  how finely results are told apart
    """

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
    as_of: date | None = parsed_field(
        "as_of",
        AddressSetting("as-of", date.fromisoformat, "a day such as 2026-03-14", "all recordings"),
        None,
        option=CommandOption("the trend as it was known at the end of that day, UTC", "DAY"),
        control=PageControl("As of", empty="today", attributes={"size": 10}),
    )
    precision: TrendPrecision = parsed_field(
        "precision",
        AddressSetting("precision", TrendPrecision.of, EXPECTED, "12 bits"),
        USUAL,
        option=CommandOption(f"how finely results are told apart: {EXPECTED}", "BITS"),
        control=PageControl("Precision", title=EXPECTED.capitalize(), attributes={"size": 6}),
    )
