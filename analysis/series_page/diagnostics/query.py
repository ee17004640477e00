"""What the manual aids are asked for: the query string, read and written in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Self
from urllib.parse import urlencode

from django.http import QueryDict

LAGS: Final = (1, 2, 3, 4)
LAGS_MOST: Final = 4
SEED_MOST: Final = 999_999


@dataclass(frozen=True, slots=True)
class DiagnosticsQuery:
    """One look at a series.

    start       first iteration of what is looked at; None: where the yardstick says steady, else 0
    lags        of the lag plots, at most four
    everything  the axes hold all values, not 99 % of them
    bartlett    the band that allows for the lags before, too
    seed        of the random order
    """

    start: int | None = None
    lags: tuple[int, ...] = LAGS
    everything: bool = False
    bartlett: bool = False
    seed: int = 0

    @classmethod
    def of(cls, query: QueryDict, n: int) -> Self:
        """Read a query string for a series of `n` values; what is not understood is the default."""
        start = _number(query.get("from", ""))
        seed = _number(query.get("order", ""))
        wanted = (_number(word) for word in query.get("lags", "").replace(",", " ").split())
        lags = sorted({lag for lag in wanted if lag is not None and 1 <= lag < n})
        return cls(
            start=None if start is None else min(start, max(n - 1, 0)),
            lags=tuple(lags[:LAGS_MOST]) or LAGS,
            everything=query.get("all") == "1",
            bartlett=query.get("bartlett") == "1",
            seed=min(seed or 0, SEED_MOST),
        )

    def query(self, more: Mapping[str, str], **values: object) -> str:
        """`?…` of this look with some `values` changed and `more` kept; defaults left out."""
        asked = replace(self, **values)  # type: ignore[arg-type]  # names are the fields'
        pairs = {
            **more,
            "from": "" if asked.start is None else str(asked.start),
            "lags": "" if asked.lags == LAGS else " ".join(map(str, asked.lags)),
            "all": "1" if asked.everything else "",
            "bartlett": "1" if asked.bartlett else "",
            "order": str(asked.seed or ""),
        }
        said = {name: text for name, text in pairs.items() if text}
        return f"?{urlencode(said)}" if said else ""


def _number(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
