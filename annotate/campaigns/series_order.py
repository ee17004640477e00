"""Orders in which a new campaign can ask its series, given by rooms that this one does not know.

Who knows one registers in `AppConfig.register()` its words and a function that says the turns of a
campaign's tasks. The order is kept in the campaign's `selection`, beside how its series were
chosen; without one each person has a random order of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from annotate.campaigns.assignments import ask_in_turns
from annotate.models import Campaign
from people.late_registry import LateRegistry

OWN: Final = ""  # each person's, at random


@dataclass(frozen=True, slots=True)
class SeriesOrder:
    """`turns`: of the tasks of a campaign by primary key; ValidationError where there are none."""

    words: str
    turns: Callable[[Campaign], Mapping[int, int]]


_registered = LateRegistry[dict[str, SeriesOrder]]({})


def register_series_order(code: str, order: SeriesOrder) -> None:
    _registered.present[code] = order


def choices() -> list[tuple[str, str]]:
    registered_choices = ((code, order.words) for code, order in _registered.entries.items())
    return [(OWN, "each person’s own, at random"), *registered_choices]


def arrange(campaign: Campaign) -> None:
    """Ask the tasks in the order that the campaign was made with."""
    if order := _registered.entries.get(campaign.selection.get("order", OWN)):
        ask_in_turns(campaign, order.turns(campaign))
