"""The query of the series that people look at first: each setting is declared here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from analysis.statistics.marking_order import TURN
from people.query_form import CommandOption, QueryForm, text_field, whole_field

MOST: Final = 500


@dataclass(frozen=True, slots=True)
class LeastSureQuery(QueryForm):
    """Query of the least sure series: their number, and the method that states its certainty.

    method  its key; empty: the shipped one with its defaults
    """

    count: int = whole_field(
        "n",
        "count",
        1,
        MOST,
        default=TURN,
        fallback=f"{TURN} series",
        option=CommandOption(f"series; default: {TURN}", "N"),
    )
    method: str = text_field(
        "m",
        "method",
        option=CommandOption("key of the method that says how sure it is; default: plateau", "KEY"),
    )
