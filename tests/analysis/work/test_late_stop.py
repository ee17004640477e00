"""A stop at every third moment of a job's work: it is stopped with something left, or done.

`make test-every` stops at every moment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from analysis.runs.models import Detection
from analysis.work import services
from analysis.work.kinds import job_kind
from analysis.work.models import Job
from tests.analysis.work.units import answers_of, units_of
from tests.every_case import EVERY_CASE

pytestmark = pytest.mark.django_db
MakeJob = Callable[..., Job]
MOST = 400  # statements of such a job, far more than there are


class StopAt:
    """Stops the job just before one statement of its work, as another process would."""

    def __init__(self, job: Job, moment: int) -> None:
        self.job, self.moment = job, moment
        self.seen, self.stopped, self.begun = 0, False, False

    def __call__(self, execute: Any, sql: str, params: Any, many: Any, context: Any) -> Any:
        self.seen += not self.begun
        if self.seen == self.moment and not self.begun:
            self.begun = True
            self.stopped = services.stop(self.job)
        return execute(sql, params, many, context)


def work_with_a_stop(job: Job, moment: int) -> StopAt:
    """Work through the job as one worker, stopped before its statement number `moment`."""
    stop = StopAt(job_kind(job).jobs.get(pk=job.pk), moment)
    with connection.execute_wrapper(stop):
        services.work_through(job, worker="here", tell_progress=lambda *_: None)
    return stop


@pytest.mark.parametrize("alone", [False, True])
def test_a_job_that_is_complete_never_says_stopped(make_job: MakeJob, *, alone: bool) -> None:
    states = set()
    for moment in range(1, MOST) if EVERY_CASE else range(2, MOST, 3):
        job = make_job(alone=alone)
        stop = work_with_a_stop(job, moment)
        job.refresh_from_db()
        end_states = set(units_of(job).values_list("state", flat=True))
        expected_state = "stopped" if "stopped" in end_states else "done"

        assert job.finished is not None, moment
        assert job.state == expected_state, (moment, end_states)
        assert stop.stopped or expected_state == "done", moment
        if expected_state == "done":
            counts = units_of(job).counts_of(job)
            assert counts.done == job.size(counts)
        states.add(expected_state)
        if not stop.begun:
            break
        job_kind(job).jobs.delete()
        Detection.objects.all().delete()
    else:
        pytest.fail(f"more than {MOST} statements")

    assert states == {"done", "stopped"}
    assert answers_of(job)
