"""Work on one unit of an exploration: answer for its sets and series, store all at once."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from billiard.exceptions import SoftTimeLimitExceeded
from django.conf import settings

from analysis.methods.series_context import context_of_series, load_series, wanted_inputs
from analysis.tuning.designs import exploration_method, pack_answers, set_answerer
from analysis.tuning.models import Part
from analysis.work.leases import Claim, Outcome
from detectors.contract import ParameterError, as_series
from detectors.parameter_sets.evaluation import NO_ANSWER, Table
from detectors.registry import UnknownDetector
from series.models import Series
from series.values.read_ahead import read_ahead

log = logging.getLogger(__name__)


def compute(claim: Claim[Part]) -> Callable[[], Outcome]:
    """Answer for every set and series; what is returned stores all answers with the part's end."""
    unit, began = claim.unit, time.perf_counter()
    try:
        exploration = unit.job
        series_pks = exploration.series_ids[unit.first_series : unit.first_series + unit.series]
        series_by_pk = {
            series.pk: series
            for series in load_series(series_pks, exploration.slug, exploration.study)
        }
        answers = _answers(claim, [series_by_pk.get(pk) for pk in series_pks])
    except SoftTimeLimitExceeded:
        return partial(_divide, claim)
    except (UnknownDetector, ParameterError) as error:  # the worker runs other code
        return partial(_finish, claim, None, unit.size, str(error), time.perf_counter() - began)
    if answers is None:  # the unit is unwanted or lost: drop the answers
        return partial(claim.end, is_complete=False, done_count=0, failed_count=0)
    table, errors = answers
    failed_count = unit.sets * len(errors)
    seconds = time.perf_counter() - began
    return partial(_finish, claim, table, failed_count, "\n".join(errors), seconds)


def _answers(
    claim: Claim[Part], all_series: Sequence[Series | None]
) -> tuple[Table, list[str]] | None:
    """The table, and what went wrong on which series; None when the part is not wanted any more."""
    unit = claim.unit
    answer_sets = set_answerer(unit.job.public_id, unit.first_set, unit.sets)
    has_samples = "samples" in wanted_inputs(exploration_method(unit.job)())
    table = np.full((unit.sets, unit.series), NO_ANSWER, np.int32)
    errors: list[str] = []
    present_columns = [
        column_index
        for column_index, loaded_series in enumerate(all_series)
        if loaded_series is not None
    ]
    for column, series in zip(present_columns, read_ahead(filter(None, all_series)), strict=True):
        if not claim.report(column * unit.sets, len(errors) * unit.sets):
            return None
        try:
            table[:, column] = answer_sets(
                as_series(series.array()), context_of_series(series, has_samples=has_samples)
            )
        except SoftTimeLimitExceeded:
            raise
        except Exception as error:  # a method's bug on one series must not take the others with it
            log.exception("%s failed on series %s", unit.job.method, series.public_id)
            errors.append(f"{type(error).__name__}: {error}")
    return table, errors


def _finish(
    claim: Claim[Part], table: Table | None, failed_count: int, error: str, seconds: float
) -> Outcome:
    return claim.end(
        answers=b"" if table is None else pack_answers(table),
        done_count=claim.unit.size,
        failed_count=failed_count,
        seconds=seconds,
        error=error,
    )


def _divide(claim: Claim[Part]) -> Outcome:
    """Two halves instead of a part that took too long; one set on one series cannot be halved."""
    unit = claim.unit
    if unit.size == 1:
        seconds = settings.CELERY_TASK_SOFT_TIME_LIMIT
        return _finish(claim, None, 1, f"took longer than {seconds} s", float(seconds))
    sets_left, series_left = unit.sets // 2, unit.series
    second_half = {"first_set": unit.first_set + sets_left, "sets": unit.sets - sets_left}
    if unit.sets == 1:
        sets_left, series_left = 1, unit.series // 2
        second_half = {
            "first_series": unit.first_series + series_left,
            "series": unit.series - series_left,
        }
    counts = {"attempts": 0, "done_count": 0, "failed_count": 0}
    outcome = claim.end(
        is_complete=False,
        sets=sets_left,
        series=series_left,
        size=sets_left * series_left,
        **counts,
    )
    if outcome == "lost":
        return outcome
    part_fields = {
        name: getattr(unit, name) for name in ("first_set", "sets", "first_series", "series")
    }
    Part.objects.create(
        job_id=unit.job_id,
        **(part_fields | second_half),
        size=unit.size - sets_left * series_left,
        state=Part.State.STOPPED if outcome == "stopped" else Part.State.WAITING,
    )
    log.warning("%s: too long for one piece of work; divided", unit)
    return outcome
