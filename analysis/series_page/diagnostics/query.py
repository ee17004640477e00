"""The query of the plots of one series: each setting of their address is declared here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

from people.query_form import (
    QueryField,
    QueryForm,
    choice_field,
    setting_field,
    text_field,
    whole_field,
)
from people.query_settings import AddressSetting, bounded_integer

LAGS: Final = (1, 2, 3, 4)
LAGS_MOST: Final = 4
SEED_MOST: Final = 999_999
_MOST: Final = 10**9 - 1


def _lags(text: str) -> tuple[int, ...]:
    entered_lags = (bounded_integer(word, 1, _MOST) for word in text.replace(",", " ").split())
    lags = sorted({lag for lag in entered_lags if lag is not None})
    if not lags:
        raise ValueError(text)
    return tuple(lags)


def _lags_text(lags: tuple[int, ...]) -> str:
    return " ".join(map(str, lags))


_LAGS: Final = AddressSetting("lags", _lags, "whole numbers from 1", f"lags {_lags_text(LAGS)}")


@dataclass(frozen=True, slots=True)
class DiagnosticsQuery(QueryForm):
    """One look at a series.

    yardstick   code of the one that the page around shows
    start       first iteration of what is looked at; None: where the yardstick says steady, else 0
    lags        of the lag plots, at most four
    everything  the axes hold all values, not 99 % of them
    bartlett    the band that allows for the lags before, too
    seed        of the random order
    """

    yardstick: str = text_field("y", "yardstick")
    start: int | None = whole_field("from", "from", 0, _MOST, fallback="the steady part")
    lags: tuple[int, ...] = setting_field(QueryField("lags", _LAGS, LAGS, _lags_text))
    everything: bool = choice_field(
        "all", "all", {"1": True}, default=False, fallback="99 % of the values on the axes"
    )
    bartlett: bool = choice_field(
        "bartlett", "bartlett", {"1": True}, default=False, fallback="the band of no dependence"
    )
    seed: int = whole_field("order", "order", 0, SEED_MOST, default=0, fallback="the first order")

    def within(self, n: int) -> Self:
        """Fit the query to a series of `n` values."""
        lags = tuple(lag for lag in self.lags if lag < n)[:LAGS_MOST]
        start = None if self.start is None else min(self.start, max(n - 1, 0))
        return self.changed(start=start, lags=lags or LAGS)
