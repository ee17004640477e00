"""The query of costs beside that of the comparison: each setting is declared here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, get_args

from analysis.cost.configured_tests import FORKS, Forks
from analysis.statistics.benchmark_replay import CAP, MEASURED, Accounting
from analysis.statistics.result_quality import OVER, Over
from analysis.web.command_options import MOST
from people.query_form import CommandOption, QueryForm, choice_field, text_field, whole_field

NO_CAP: Final = "none"
CONFIGURED: Final = "configured"
UNTIL: Final = {"no": 0.0, "1": 0.01, "2": 0.02, "5": 0.05}
_HONEST: Final = "honest: a method is charged for all that it had to see for its answer"


@dataclass(frozen=True, slots=True)
class CostQuery(QueryForm):
    """Query of costs: the procedure of the test, and the baseline of methods.

    accounting  by which the result and the wasted seconds are judged; times are shown by both
    cap         most iterations of warm-up; None: as many as a method wants
    baseline    name of a method; empty for the first of the usual ones
    measured    iterations of a measurement; None: as each benchmark is configured
    until       a measurement goes on until half of the 95 % interval of its mean is this share of
                it; 0: `measured` iterations are enough
    forks       which forks of a benchmark are run
    over        the benchmarks over which deviations are summed up
    """

    accounting: Accounting = choice_field(
        "how",
        "accounting",
        get_args(Accounting),
        fallback="the published accounting",
        option=CommandOption(_HONEST),
    )
    cap: int | None = whole_field(
        "cap",
        "cap",
        0,
        MOST,
        default=CAP,
        or_word=NO_CAP,
        fallback=f"a cap of {CAP}",
        option=CommandOption(
            f"most iterations of warm-up, or {NO_CAP}; default: {CAP}", "ITERATIONS"
        ),
    )
    measured: int | None = whole_field(
        "len",
        "measured",
        1,
        MOST,
        default=MEASURED,
        or_word=CONFIGURED,
        fallback=f"{MEASURED} measured iterations",
        option=CommandOption(
            f"iterations that are measured, or {CONFIGURED}: as each benchmark's settings say; "
            f"default: {MEASURED}",
            "ITERATIONS",
        ),
    )
    until: float = choice_field(
        "until",
        "until",
        UNTIL,
        fallback="no more than are measured",
        option=CommandOption(
            "measure on until half of the 95 %% interval is so many per cent of the mean",
            words=UNTIL,
        ),
    )
    forks: Forks = choice_field(
        "forks", "forks", FORKS.keys(), option=CommandOption("forks of a benchmark that are run")
    )
    baseline: str = text_field("b", "baseline", option=CommandOption(metavar="METHOD"))
    over: Over = choice_field("over", "over", OVER.keys(), option=CommandOption())
