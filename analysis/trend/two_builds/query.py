"""The query of two builds, of an address or a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analysis.trend.query import start_field, target_field
from people.query_form import CommandOption, PageControl, QueryForm, choice_field, text_field


@dataclass(frozen=True, slots=True)
class TwoBuildsQuery(QueryForm):
    """Two builds of a data set.

    before   build, or label of a recording; empty for the build before `after`
    after    build, or label of a recording; empty for the newest recording
    against  slug of the data set that has `before`; empty for the same one
    start    the code of a start, as `find_start` takes it; empty for the default
    duets    whether duets are compared pair by pair; else as if they had run apart
    target   half of the interval that the plans of duets are for, as a share
    """

    before: str = text_field(
        "before",
        "before",
        CommandOption("build, or label of a recording; default: the one before --after", "BUILD"),
        PageControl("Before", empty="the build before"),
    )
    after: str = text_field(
        "after",
        "after",
        CommandOption("build, or label of a recording; default: the newest", "BUILD"),
        PageControl("After", empty="the newest"),
    )
    against: str = text_field(
        "in",
        "before-in",
        CommandOption("data set that has --before; default: the same", "DATASET"),
        PageControl("Before in", empty="this data set"),
    )
    start: str = start_field()
    duets: Literal["paired", "apart"] = choice_field(
        "duets",
        "duets",
        ("paired", "apart"),
        fallback="paired",
        option=CommandOption("compare duets pair by pair, or apart; default: paired"),
        control=PageControl("Duets"),
    )
    target: float = target_field("percent that plans of duets are for; default: 1")
