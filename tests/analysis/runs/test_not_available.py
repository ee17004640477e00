"""A method that lacks something it needs has not failed: pages say what, and a new run asks it."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.test import Client
from django.urls import reverse

from analysis.runs.models import Detection, Run
from analysis.runs.plan import plan_run
from analysis.runs.progress import read_progress
from analysis.work import services as jobs
from people.models import Study, User
from series.models import Series
from tests.analysis.runs.conftest import FIXED, NIGHTLY
from tests.analysis.work.units import work
from tests.replayed_rows import replayed

DEVELOPER = "developer"  # needs the warm-up that a series was configured with
LACKS = "not available: no settings: the series does not say its warmup iterations"


def configure(series: Series) -> None:
    settings = {"warmup_iterations": 2, "warmup_seconds": 1.0}
    Series.objects.filter(pk=series.pk).update(settings=settings, seconds_per_iteration=0.5)


def finish(run: Run) -> Run:
    for chunk in run.units.all():
        work(chunk)
    run.refresh_from_db()
    return run


@pytest.fixture
@replayed
def lacking_run(seven_series: list[Series], make_run: Callable[..., Run]) -> Run:
    """The last series says its warm-up, the six others do not."""
    configure(seven_series[6])
    return finish(make_run(DEVELOPER, FIXED))


def test_it_is_an_outcome_of_its_own(lacking_run: Run, olga: User) -> None:
    detections = Detection.objects.filter(slug=DEVELOPER).order_by("series")
    progress, results = read_progress(lacking_run, olga)

    assert [detection.outcome for detection in detections] == [*["not-available"] * 6, "answer"]
    assert {detection.error for detection in detections[:6]} == {LACKS}
    assert (progress.done, progress.failed, results.not_available) == (14, 0, 6)
    assert sum(lacking_run.units.values_list("failed_count", flat=True)) == 0
    assert [(reason.count, reason.outcome, reason.reason) for reason in results.unread_reasons] == [
        (6, "not available", LACKS.removeprefix("not available: "))
    ]


def test_the_page_says_what_is_lacking_and_fills_in_a_new_run(
    client: Client, lacking_run: Run, olga: User
) -> None:
    client.force_login(olga)

    page = " ".join(client.get(lacking_run.get_absolute_url()).content.decode().split())

    assert "<summary>6 not available:" in page
    assert page.count("data-reason") == 1
    assert "done, 6 not available" in page
    assert re.search(r'<td class="item-picture">\s*done, 6 not available', page)  # without a tick
    assert "8 answered, 6 not available." in page
    assert "Run these again" not in page
    address = reverse("run-new", args=[lacking_run.study.slug])
    assert f'href="{address}?dataset=nightly&amp;methods=developer' in page


def test_the_navigation_counts_no_failure(client: Client, lacking_run: Run, olga: User) -> None:
    client.force_login(olga)

    assert "a run has failures" not in client.get(lacking_run.get_absolute_url()).content.decode()


def test_run_these_again_leaves_it_alone(
    lacking_run: Run,
    seven_series: list[Series],
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]],
) -> None:
    kept_rows = set(
        Detection.objects.exclude(series=seven_series[0]).values_list("pk", "when", "run")
    )
    Detection.objects.filter(series=seven_series[0], slug=DEVELOPER).update(
        outcome="failed", error="?"
    )
    lacking_run.units.filter(detector_key__startswith=DEVELOPER).update(failed_count=1)
    configure(seven_series[5])

    with django_capture_on_commit_callbacks(execute=True):
        assert jobs.retry(lacking_run) == 1

    assert kept_rows == set(
        Detection.objects.exclude(series=seven_series[0]).values_list("pk", "when", "run")
    )
    assert Detection.objects.get(series=seven_series[5], slug=DEVELOPER).outcome == "not-available"
    assert Detection.objects.get(series=seven_series[0], slug=DEVELOPER).outcome == "not-available"
    assert jobs.retry(lacking_run) == 0


@pytest.mark.parametrize("options", [{}, {"again": True}])
def test_a_new_run_asks_again_and_keeps_what_was_answered(
    lacking_run: Run,
    seven_series: list[Series],
    study: Study,
    make_run: Callable[..., Run],
    options: dict[str, bool],
) -> None:
    for series in seven_series[4:6]:
        configure(series)
    key = Detection.objects.filter(slug=DEVELOPER)[0].detector_key
    run_plan = plan_run(study, NIGHTLY, [key])

    run = finish(make_run(DEVELOPER, **options))

    assert (run_plan.stored_count, run_plan.missing_count) == (1, 6)
    assert run.stored_before == (0 if options else 1)
    assert sum(run.units.values_list("size", flat=True)) == (7 if options else 6)
    assert [series_pk for chunk in run.units.all() for series_pk in chunk.differing] == []
    detections = Detection.objects.filter(slug=DEVELOPER).order_by("series")
    assert [detection.outcome for detection in detections] == ["not-available"] * 4 + ["answer"] * 3
    assert detections.filter(run=run).count() == 6
