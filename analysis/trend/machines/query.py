"""The query of the machines of a build, of an address or a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from analysis.trend.query import start_field, target_field
from people.query_form import CommandOption, PageControl, QueryForm, text_field, whole_field

A_DAY: Final = 86_400  # seconds


@dataclass(frozen=True, slots=True)
class MachinesQuery(QueryForm):
    """Machines of one build of a data set, and the precision that a plan is for.

    build          build, or label of a recording; empty for the newest
    kind           only recordings whose machine has this description; empty for all
    target         half of the wished interval, as a share of the mean
    machine_start  seconds that a machine takes until its first fork
    fork_start     seconds that a fork takes until its first iteration
    start          the code of a start, as `find_start` takes it; empty for the default
    """

    target: float = target_field("the mean may be off by so many percent; default: 1")
    build: str = text_field(
        "build",
        "build",
        CommandOption("build, or label of a recording; default: the newest", "BUILD"),
        PageControl("Build", empty="the newest"),
    )
    kind: str = text_field(
        "kind",
        "kind",
        CommandOption("only machines of this description, such as an instance type", "TEXT"),
        PageControl("Kind of machine", empty="all kinds"),
    )
    machine_start: int = whole_field(
        "machine-start",
        "machine-start",
        0,
        A_DAY,
        default=60,
        fallback="60 seconds",
        option=CommandOption("seconds until a machine can measure; default: 60", "S"),
        control=PageControl("Start of a machine", title="Seconds", attributes={"size": 4}),
    )
    fork_start: int = whole_field(
        "fork-start",
        "fork-start",
        0,
        A_DAY,
        default=1,
        fallback="1 second",
        option=CommandOption("seconds until the first iteration of a fork; default: 1", "S"),
        control=PageControl("Start of a fork", title="Seconds", attributes={"size": 4}),
    )
    start: str = start_field()
