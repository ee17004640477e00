"""The query of a trend, of an address or a command: each setting is declared here, once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal, get_args

from django.urls import reverse

from detectors.trends.trend_groups import PRECISION_TEXTS, USUAL, TrendPrecision
from people.query_form import (
    CommandOption,
    PageControl,
    QueryForm,
    choice_field,
    parsed_field,
    text_field,
    whole_field,
)
from people.query_settings import AddressSetting
from people.templatetags.writing import HARD
from series.models import Benchmark

Order = Literal["date", "build"]
AlarmFilter = Literal["any", "open", "new", "confirmed", "explained", "fixed", "ignored"]
ALARMS: Final[tuple[AlarmFilter, ...]] = get_args(AlarmFilter)
ORDERS: Final[tuple[Order, ...]] = ("date", "build")


def start_field() -> Any:
    """Field of the start from which on values count."""
    return text_field(
        "start",
        "start",
        option=CommandOption(
            "ground-truth, a method's slug, half or fixed:N; default: plateau where it has "
            "answered, else the method with most answers, else half",
            "CODE",
        ),
        control=PageControl("Steady from"),
    )


TARGETS: Final = {text: float(text) / 100 for text in ("1", "0.5", "2", "5", "10")}


def target_words(target: float) -> str:
    """`±1 %`."""
    return f"±{target * 100:g}{HARD}%"


def target_field(help_words: str) -> Any:
    """Field of half of a wished interval, as a share of the mean."""
    return choice_field(
        "t",
        "target",
        TARGETS,
        fallback="±1 %",
        option=CommandOption(help_words, words=TARGETS),
        control=PageControl("Target", shown={text: f"±{text} %" for text in TARGETS}),
    )


@dataclass(frozen=True, slots=True)
class TrendQuery(QueryForm):
    """Settings by which recordings become a trend.

    start      the code of a start, as `find_start` takes it; empty for the default
    as_of      only recordings that were measured by the end of that day, UTC; None for all
    precision  how finely results are told apart
    window     so many recordings are read, the newest ones: nothing grows with those before
    least      recordings that a new level needs before its change counts
    alarm      only benchmarks with an alarm in this state; open: new or confirmed
    benchmark  public id of the one that is open beside the list; empty for none
    """

    start: str = start_field()
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
    window: int = whole_field(
        "window",
        "window",
        1,
        100_000,
        default=100,
        fallback="the newest 100 recordings",
        option=CommandOption("so many recordings, the newest ones; default: 100", "N"),
        control=PageControl("Recordings", attributes={"size": 4}),
    )
    precision: TrendPrecision = parsed_field(
        "precision",
        AddressSetting("precision", TrendPrecision.from_text, PRECISION_TEXTS, "the t test"),
        USUAL,
        option=CommandOption(f"how finely results are told apart: {PRECISION_TEXTS}", "BITS"),
        control=PageControl(
            "Precision", title=PRECISION_TEXTS.capitalize(), attributes={"size": 6}
        ),
    )
    least: int = whole_field(
        "min-group",
        "min-group",
        1,
        1000,
        default=1,
        fallback="1 recording",
        option=CommandOption("recordings that a new level needs before its change counts", "N"),
        control=PageControl("Shortest group", attributes={"size": 3}),
    )
    alarm: AlarmFilter = choice_field(
        "alarm",
        "alarm",
        ALARMS,
        option=CommandOption("only benchmarks with an alarm in this state; open: new or confirmed"),
        control=PageControl("Alarm"),
    )
    benchmark: str = text_field("b", "benchmark")

    @property
    def has_settings(self) -> bool:
        """True if the address changes a setting."""
        return self.changed(benchmark="") != TrendQuery()

    @property
    def all_benchmarks_query(self) -> str:
        """The query with no benchmark open."""
        return self.changed(benchmark="").query()

    @property
    def half_query(self) -> str:
        """The query that takes the last half of each series, which needs no answers."""
        return self.changed(start="half").query()


def trend_address(benchmark: Benchmark) -> str:
    """Address of the trend of one benchmark, beside the list of its data set."""
    dataset = benchmark.dataset
    address = reverse("trends", args=[dataset.study.slug, dataset.slug])
    return address + TrendQuery(benchmark=benchmark.public_id).query()
