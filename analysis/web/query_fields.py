"""Settings that the addresses and commands of several features take."""

from __future__ import annotations

from typing import Any, Final

from people.query_form import CommandOption, PageControl, whole_field

TOLERANCE_MOST: Final = 10_000_000
_USUAL: Final = "5 % of each series"


def tolerance_field() -> Any:
    """A tolerance in iterations; None is 5 % of each series' length."""
    return whole_field(
        "tol",
        "tolerance",
        0,
        TOLERANCE_MOST,
        fallback=_USUAL,
        option=CommandOption("default: 5 %% of each series", "ITERATIONS"),
        control=PageControl(
            "Tolerance ±",
            empty="5 %",
            title=f"Iterations; empty: {_USUAL}",
            attributes={"inputmode": "numeric"},
        ),
    )
