"""Starting a run; what else is done to jobs is the same for all: `analysis.work.services`."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.runs import plan
from analysis.runs.models import Run
from analysis.runs.selection import SeriesSelection
from analysis.work import services as work
from people.models import Study, User


def start_run(
    study: Study,
    *,
    by: User | None,
    selection: SeriesSelection,
    keys: Sequence[str],
    name: str = "",
    again: bool = False,
    queued: bool = True,
) -> Run:
    """Store a run and queue its chunks; of what is stored already nothing is computed.

    queued: False leaves the chunks to whoever calls `analysis.work.services.work_through`.
    Raises `NothingToRun`, `UnknownDetector` and `ParameterError`.
    """
    run = plan.store_run(study, by=by, selection=selection, keys=keys, name=name, again=again)
    work.begin(run, queued=queued)  # not in the transaction of the rows: who sends holds up nobody
    return run
