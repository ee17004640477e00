"""A webhook is told that a run is done, once."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from analysis.runs.job_kind import RunKind
from analysis.runs.models import Run
from people.models import OutgoingNotice, Study


def test_a_run_that_is_done_is_told_once(study: Study, settings: Any) -> None:
    run = Run.objects.create(
        study=study, name="Nightly", detectors=["fixed@1"], series_count=7, finished=timezone.now()
    )
    RunKind().has_ended(run)
    assert not OutgoingNotice.objects.exists()  # nothing is set up

    settings.WEBHOOK = "http://127.0.0.1:9/"
    RunKind().has_ended(run)
    RunKind().has_ended(run)

    [notice] = OutgoingNotice.objects.all()
    assert (notice.event, notice.channel, notice.path) == (
        "run-finished",
        "webhook",
        run.get_absolute_url(),
    )
