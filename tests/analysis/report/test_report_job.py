"""A report as a job: made by a worker for who asked, kept for the same state, shown to who may."""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored, inputs_of
from analysis.removal import services as removal_services
from analysis.report import services
from analysis.report.bundle import STEPS, Report
from analysis.report.job_kind import ReportKind
from analysis.report.models import ReportJob, ReportUnit
from analysis.report.reads import state_key
from analysis.report.services import TooManyReports
from analysis.runs.models import Detection
from analysis.work import services as work
from analysis.work.kinds import job_kind
from analysis.work.models import TRIES
from annotate.blind import EVERYTHING
from annotate.models import Assignment, Campaign, Mark, Task
from people.models import Role, User
from series.models import Series
from tests.analysis.work.units import first_unit, take, work as work_on

pytestmark = pytest.mark.django_db
LONG_AGO = timezone.now() - timedelta(days=1)


@pytest.fixture(autouse=True)
def _short_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """To compress the drawing library is half of the time of a report; `test_report` has it."""
    for module in ("bundle", "report_script"):
        monkeypatch.setattr(f"analysis.report.{module}.scripts", lambda: ("first()", "second()"))


@pytest.fixture
def report_address(compared_study: Campaign) -> str:
    return reverse("comparison-report", args=[compared_study.study.slug])


def ask(campaign: Campaign, by: User) -> ReportJob:
    """A job that nobody has been told of."""
    comparison_query = ComparisonQuery()
    inputs = inputs_of(campaign.study, by, comparison_query)
    assert inputs is not None
    return services.ask_for_report(inputs, comparison_query, user=by, queued=False)


def button_address(job: ReportJob) -> str:
    return reverse("report-button", args=[job.study.slug, job.public_id])


def file_address(job: ReportJob) -> str:
    return reverse("report-file", args=[job.study.slug, job.public_id])


def finished_job(campaign: Campaign, by: User) -> ReportJob:
    job = ask(campaign, by)
    assert work_on(first_unit(job)) == "done"
    job.refresh_from_db()
    return job


# --- making -----------------------------------------------------------------------------------
def test_it_is_the_report_that_the_command_writes(compared_study: Campaign, vic: User) -> None:
    job = finished_job(compared_study, vic)

    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery())
    assert comparison is not None
    assert bytes(job.content) == Report(comparison).zip
    assert (job.state, job.digest) == ("done", Report(comparison).digest)
    unit = ReportUnit.objects.get(job=job)
    assert (unit.state, unit.done_count, unit.failed_count) == ("done", STEPS, 0)


def test_there_are_as_many_steps_as_are_told(compared_study: Campaign) -> None:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery())
    assert comparison is not None
    assert len(Report(comparison).steps()) == STEPS


def test_a_worker_that_dies_leaves_a_report_that_another_makes(
    compared_study: Campaign, vic: User
) -> None:
    job = ask(compared_study, vic)
    dead_claim = take(first_unit(job), worker="w-1@here")
    assert dead_claim is not None
    finish_late = ReportKind().compute(dead_claim)  # it had all but stored it
    ReportUnit.objects.update(lease=LONG_AGO)

    assert work.recover(job_kind(job)) == [first_unit(job).pk]
    assert work_on(first_unit(job), worker="w-2@here") == "done"

    job.refresh_from_db()
    content_before = bytes(job.content)
    assert finish_late() == "lost"
    job.refresh_from_db()
    assert (bytes(job.content), first_unit(job).attempts) == (content_before, 2)


def test_what_kills_every_worker_is_given_up(compared_study: Campaign, vic: User) -> None:
    job = ask(compared_study, vic)
    for _ in range(TRIES):
        assert take(first_unit(job)) is not None
        ReportUnit.objects.update(lease=LONG_AGO)
        work.recover(job_kind(job))

    job.refresh_from_db()
    assert (first_unit(job).state, job.finished is not None, job.digest) == ("given-up", True, "")


def test_a_stopped_one_stores_nothing(
    compared_study: Campaign, vic: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.work.leases.RENEW_EVERY", 0.0)
    job = ask(compared_study, vic)
    claim = take(first_unit(job))
    assert claim is not None
    assert work.stop(job)

    assert ReportKind().compute(claim)() == "stopped"

    job.refresh_from_db()
    assert (bytes(job.content), job.digest, job.state) == (b"", "", "stopped")


@pytest.fixture
def _failures_are_expected(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.CRITICAL, logger="analysis"):
        yield


@pytest.mark.usefixtures("_failures_are_expected")
def test_what_goes_wrong_is_told_and_asked_again(
    compared_study: Campaign, as_vic: Client, report_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Report) -> bytes:
        raise ZeroDivisionError

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Report, "zip", property(broken))
        as_vic.post(report_address)
        response = as_vic.get(button_address(ReportJob.objects.get()))
    assert response.context["failure"].startswith("ZeroDivisionError; ")
    assert f'action="{report_address}?y=campaign%3Afirst-look"' in response.text

    as_vic.post(report_address)
    assert "data-save-now" in as_vic.get(button_address(ReportJob.objects.latest("pk"))).text
    assert ReportJob.objects.count() == 2


def test_of_a_person_who_is_gone_there_is_none(compared_study: Campaign, vic: User) -> None:
    job = ask(compared_study, vic)
    ReportJob.objects.update(started_by=None)

    assert work_on(first_unit(job)) == "done"
    assert first_unit(job).error == "the person who asked for it is no longer a member"


def test_the_button_tells_how_far_it_is_and_then_saves(
    compared_study: Campaign, vic: User, as_vic: Client, report_address: str
) -> None:
    headers = {"HX-Request": "true"}
    job = ask(compared_study, vic)
    claim = take(first_unit(job))
    assert claim is not None
    button = button_address(job)

    assert f'hx-get="{button}"' in as_vic.post(report_address, headers=headers).text
    assert "Making the .zip, 0 %" in as_vic.get(button, headers=headers).text
    work.work_on(claim)

    assert "data-save-now" in as_vic.get(button, headers=headers).text
    assert "data-save-now" in as_vic.post(report_address, headers=headers).text


def test_a_mark_more_is_another_report(compared_study: Campaign, vic: User) -> None:
    first = ask(compared_study, vic)
    mark = Mark.objects.filter(task__campaign=compared_study).latest("pk")
    mark.pk, mark.revision, mark.client_id = None, mark.revision + 1, uuid4()
    Mark.objects.bulk_create([mark])

    assert ask(compared_study, vic) != first


# --- asking -----------------------------------------------------------------------------------
def test_asked_again_for_the_same_state_it_is_there_at_once(
    as_vic: Client, olga: User, report_address: str
) -> None:
    as_olga = Client()
    as_olga.force_login(olga)
    assert as_vic.post(report_address).headers["Location"].endswith("/comparison/#download")
    job = ReportJob.objects.get()
    as_vic.get(button_address(job))

    for client in (as_vic, as_olga):
        assert client.post(report_address).headers["Location"] == file_address(job)
    assert ReportJob.objects.count() == 1


def test_an_answer_more_is_another_report(as_vic: Client, report_address: str) -> None:
    as_vic.post(report_address)
    as_vic.get(button_address(ReportJob.objects.get()))
    Detection.objects.filter(steady_start__gt=0).order_by("pk").first().delete()  # type: ignore[union-attr]

    as_vic.post(report_address)
    as_vic.get(button_address(ReportJob.objects.latest("pk")))
    assert len(set(ReportJob.objects.values_list("digest", flat=True))) == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda: Campaign.objects.update(name="Second look"),
        lambda: Campaign.objects.update(recipe="median"),
        lambda: Series.objects.filter(fork=3).update(fork=7),
        lambda: Detection.objects.filter(outcome="too-short").update(outcome="failed"),
    ],
    ids=["name", "recipe", "forks", "why there is no answer"],
)
def test_whatever_a_report_says_is_in_its_key(
    change: Callable[[], object], compared_study: Campaign
) -> None:
    def key() -> str:
        study = Campaign.objects.get(pk=compared_study.pk).study
        inputs = inputs_of(study, EVERYTHING, ComparisonQuery())
        assert inputs is not None
        return state_key(inputs, ComparisonQuery())

    key_before = key()
    change()

    assert key() != key_before


def test_answers_that_come_meanwhile_are_in_it_and_in_its_key(
    compared_study: Campaign, vic: User
) -> None:
    job = ask(compared_study, vic)
    state_key = job.state_key
    Detection.objects.filter(steady_start__gt=0).order_by("pk").first().delete()  # type: ignore[union-attr]
    work_on(first_unit(job))

    job.refresh_from_db()
    assert job.state_key != state_key
    assert ask(compared_study, vic) == job


def test_a_get_makes_nothing(as_vic: Client, report_address: str) -> None:
    answer = as_vic.get(f"{report_address}?tol=5")

    assert answer.headers["Location"].endswith("/comparison/?tol=5#download")
    assert not ReportJob.objects.exists()


def test_the_oldest_make_room_and_too_many_at_once_wait(
    compared_study: Campaign, vic: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "KEPT", 2)
    monkeypatch.setattr(services, "AT_ONCE", 1)
    job_pks = []
    for key in "abc":
        job = finished_job(compared_study, vic)
        ReportJob.objects.filter(pk=job.pk).update(state_key=key)
        job_pks.append(job.pk)
    assert sorted(ReportJob.objects.values_list("pk", flat=True)) == job_pks[1:]

    ask(compared_study, vic)
    with pytest.raises(TooManyReports, match="1 reports of this study"):
        services.ask_for_report(
            inputs_of(compared_study.study, vic, ComparisonQuery(alpha=0.1)),  # type: ignore[arg-type]
            ComparisonQuery(alpha=0.1),
            user=vic,
        )


def test_it_goes_with_its_study(compared_study: Campaign, vic: User, olga: User) -> None:
    finished_job(compared_study, vic)

    removal_services.purge_removal(
        removal_services.remove_from_study(compared_study.study, user=olga)
    )

    assert not ReportJob.objects.exists()


# --- showing ----------------------------------------------------------------------------------
@pytest.fixture
def late_comer(
    compared_study: Campaign, answered_tasks: list[Task], make_person: Callable[..., User]
) -> User:
    """Joins late, and has yet to answer all four series."""
    person = make_person("cleo", Role.ANNOTATOR)
    compared_study.annotators.create(user=person, pseudonym="a3")
    for order, task in enumerate(answered_tasks):
        Assignment.objects.create(task=task, user=person, order=order)
    return person


def test_nobody_sees_series_that_they_have_yet_to_answer(
    compared_study: Campaign, vic: User, late_comer: User, client: Client
) -> None:
    job = finished_job(compared_study, vic)
    client.force_login(late_comer)

    assert client.get(file_address(job)).status_code == 404


def test_who_made_it_does_not_see_it_once_they_are_asked_for_its_series(
    compared_study: Campaign, vic: User, as_vic: Client, answered_tasks: list[Task]
) -> None:
    place = file_address(finished_job(compared_study, vic))
    assert as_vic.get(place).status_code == 200

    compared_study.annotators.create(user=vic, pseudonym="a4")
    Assignment.objects.create(task=answered_tasks[3], user=vic, order=0)

    assert as_vic.get(place).status_code == 404


def test_it_is_gone_with_its_campaign(compared_study: Campaign, vic: User, as_vic: Client) -> None:
    place = file_address(finished_job(compared_study, vic))
    Campaign.objects.update(slug="elsewhere")

    assert as_vic.get(place).status_code == 404


def test_it_is_made_of_what_the_person_may_see(
    compared_study: Campaign, answered_tasks: list[Task], late_comer: User
) -> None:
    Assignment.objects.filter(task__in=answered_tasks[:2], user=late_comer).delete()
    Campaign.objects.update(state="open")
    inputs = inputs_of(compared_study.study, late_comer, ComparisonQuery())
    assert inputs is not None
    visible_pks = {line.pk for line in inputs.lines}
    job = finished_job(compared_study, late_comer)

    assert set(job.series_ids) == visible_pks
    assert not {task.series_id for task in answered_tasks[2:]} & visible_pks


def test_its_file_is_the_zip_and_its_old_page_leads_to_the_comparison(
    compared_study: Campaign, vic: User, as_vic: Client
) -> None:
    job = finished_job(compared_study, vic)
    response = as_vic.get(file_address(job))
    old_response = as_vic.get(reverse("report", args=[job.study.slug, job.public_id]))

    assert "attachment" in response.headers["Content-Disposition"]
    assert "report.html" in zipfile.ZipFile(io.BytesIO(response.content)).namelist()
    assert (old_response.status_code, old_response.headers["Location"]) == (
        302,
        job.get_absolute_url(),
    )
    assert job.get_absolute_url().endswith("/comparison/?y=campaign%3Afirst-look#download")
