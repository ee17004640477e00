"""A regression that appears is told once: by mail, by webhook, and in a log without either."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from django.test import Client

from analysis.runs.certainty import default_key
from analysis.runs.models import Detection, Run
from analysis.trend import services
from analysis.trend.models import RegressionNotice, SteadyMean, TrendSummary, TrendWatch
from analysis.trend.recording_history import TrendHistory, trend_history
from analysis.trend.services import ANSWERS_ROW, SERIES_ROW, keep_summaries, tell_new_regressions
from people import outbox
from people.models import OutgoingNotice, Study, User
from people.templatetags.writing import HARD
from series.models import Benchmark, Dataset, Recording, Series
from series.values_store import ValuesMissing, ValuesUnavailable
from tests.analysis.trend.conftest import FIRST, Nights, store
from tests.receivers import HookCalls, mailbox, webhook
from tests.replayed_rows import replayed
from tests.series.page_parts import parts

__all__ = ["mailbox", "webhook"]


@pytest.fixture
@replayed
def watched_benchmark(dataset: Dataset, nights: Nights) -> Benchmark:
    """Ten nights of a rate, which the installation has looked at."""
    benchmark = nights([1.0] * 10, unit="pps", mode="")
    assert tell_new_regressions() == 0
    return benchmark


def another_night(benchmark: Benchmark, level: float, night: int = 11) -> Recording:
    recording, _ = Recording.objects.get_or_create(
        dataset=benchmark.dataset,
        label=f"night {night}",
        measured_at=FIRST + timedelta(days=night - 1),
    )
    store(benchmark, recording, 0, level, seed=night)
    return recording


def test_a_regression_is_mailed_and_posted_once(
    watched_benchmark: Benchmark, olga: User, ana: User, settings: Any
) -> None:
    settings.CAN_MAIL, settings.WEBHOOK = True, "http://127.0.0.1:9/"
    User.objects.filter(pk=olga.pk).update(email="olga@example.org")
    User.objects.filter(pk=ana.pk).update(email="ana@example.org")  # no owner
    another_night(watched_benchmark, 0.7)

    assert [tell_new_regressions(), tell_new_regressions()] == [1, 0]

    mail, call = OutgoingNotice.objects.order_by("channel")
    assert (mail.event, mail.to, call.channel, call.to) == (
        "regression",
        "olga@example.org",
        "webhook",
        "",
    )
    assert mail.path == "/s/startup-times/data/nightly/trend/?start=half"
    assert "since night 11" in mail.text
    another_night(watched_benchmark, 0.7, night=12)  # the same regression goes on
    assert tell_new_regressions() == 0
    assert OutgoingNotice.objects.count() == 2


def test_an_alarm_reaches_a_mail_server_and_a_webhook(
    watched_benchmark: Benchmark,
    olga: User,
    mailbox: list[EmailMessage],
    webhook: HookCalls,
    settings: Any,
) -> None:
    """Both say which benchmark became worse, by how much, since when, and where to look."""
    settings.PUBLIC_URL, settings.DEFAULT_FROM_EMAIL = "https://perf.test", "plateau@perf.test"
    User.objects.filter(pk=olga.pk).update(email="olga@example.org")
    another_night(watched_benchmark, 0.7)
    tell_new_regressions()

    assert outbox.send_due() == 2

    subject = "A regression in 1 benchmark of Nightly"
    text = (
        f"New, by the last half of each series:\n{watched_benchmark}: −30.0{HARD}% since night 11"
    )
    address = "https://perf.test/s/startup-times/data/nightly/trend/?start=half"
    (mail,), (call,) = mailbox, webhook
    assert (mail["From"], mail["To"]) == ("plateau@perf.test", "olga@example.org")
    assert (mail["Subject"], mail.get_content().rstrip()) == (subject, f"{text}\n\n{address}")
    assert call == {
        "id": OutgoingNotice.objects.get(channel="webhook").public_id,
        "event": "regression",
        "subject": subject,
        "text": text,
        "study": "Startup times",
        "address": address,
    }


def test_summaries_by_the_method_are_kept_once_its_run_has_ended(
    watched_benchmark: Benchmark,
) -> None:
    assert keep_summaries() == 0  # what is there before the first look is no news
    for series in Series.objects.all():
        Detection.objects.create(
            series=series, detector_key=default_key(), slug="m", steady_start=0, milliseconds=1.0
        )
    run = Run.objects.create(study=watched_benchmark.dataset.study, state=Run.State.RUNNING)
    assert (keep_summaries(), TrendSummary.objects.filter(start=default_key()).count()) == (0, 0)
    Run.objects.filter(pk=run.pk).update(state=Run.State.DONE)

    assert keep_summaries() == 0

    assert TrendSummary.objects.filter(start=default_key()).count() == 10
    assert TrendWatch.objects.get(pk=ANSWERS_ROW).upto == Detection.objects.latest("pk").pk


def answer_all_series() -> None:
    Detection.objects.bulk_create(
        Detection(series=series, detector_key=default_key(), slug="m", steady_start=0)
        for series in Series.objects.all()
    )


@pytest.fixture
@replayed
def other_benchmark(watched_benchmark: Benchmark) -> Benchmark:
    """Ten nights of a data set of another study, which are looked at after those of
    `watched_benchmark`.
    """
    other_study = Study.objects.create(name="Other", slug="other")
    dataset = Dataset.objects.create(study=other_study, name="Other", slug="other")
    benchmark = Benchmark.objects.create(dataset=dataset, name="b", unit="pps", mode="")
    for night in range(1, 11):
        another_night(benchmark, 1.0, night)
    assert tell_new_regressions() == 0
    return benchmark


@pytest.mark.parametrize(
    ("error", "next_look"), [(ValuesMissing, "goes on"), (ValuesUnavailable, "tries again")]
)
@pytest.mark.parametrize(
    ("look", "row"), [(tell_new_regressions, SERIES_ROW), (keep_summaries, ANSWERS_ROW)]
)
def test_values_that_cannot_be_read_stop_no_look_at_other_data_sets(
    look: Callable[[], int],
    row: int,
    error: type[ValuesUnavailable],
    next_look: str,
    watched_benchmark: Benchmark,
    other_benchmark: Benchmark,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    keep_summaries()
    for benchmark in (watched_benchmark, other_benchmark):
        another_night(benchmark, 0.7)
    answer_all_series()
    upto = TrendWatch.objects.get(pk=row).upto
    read_datasets: list[Dataset] = []

    def unreadable(dataset: Dataset, *arguments: Any, **options: Any) -> TrendHistory:
        read_datasets.append(dataset)
        if dataset == watched_benchmark.dataset:
            raise error("gone")
        return trend_history(dataset, *arguments, **options)

    monkeypatch.setattr(services, "trend_history", unreadable)
    look()

    assert read_datasets == [watched_benchmark.dataset, other_benchmark.dataset]
    assert [record.message for record in caplog.records if "gone" in record.message] == [
        f"no look at the trend of {watched_benchmark.dataset}: gone"
    ]
    assert (TrendWatch.objects.get(pk=row).upto == upto) is (next_look == "tries again")


@pytest.mark.parametrize("look", [tell_new_regressions, keep_summaries])
def test_all_data_sets_of_one_look_share_its_means(
    look: Callable[[], int],
    watched_benchmark: Benchmark,
    other_benchmark: Benchmark,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keep_summaries()
    for benchmark in (watched_benchmark, other_benchmark):
        another_night(benchmark, 0.7)
    answer_all_series()
    SteadyMean.objects.all().delete()
    TrendSummary.objects.all().delete()
    monkeypatch.setattr(services, "AT_ONCE", 12)

    look()

    assert SteadyMean.objects.count() == 12


def test_an_open_run_delays_the_summaries_of_its_own_study_alone(
    watched_benchmark: Benchmark, other_benchmark: Benchmark
) -> None:
    keep_summaries()
    upto = TrendWatch.objects.get(pk=ANSWERS_ROW).upto
    answer_all_series()
    summaries = TrendSummary.objects.filter(start=default_key())
    Run.objects.create(study=watched_benchmark.dataset.study, state=Run.State.RUNNING)

    keep_summaries()

    kept_datasets = summaries.values_list("recording__dataset", flat=True)
    assert set(kept_datasets) == {other_benchmark.dataset.pk}
    assert TrendWatch.objects.get(pk=ANSWERS_ROW).upto == upto
    Run.objects.update(state=Run.State.DONE)
    keep_summaries()
    assert len(set(kept_datasets.all())) == 2


@pytest.mark.parametrize(("level", "notice_count"), [(1.0, 0), (1.4, 0), (0.7, 1)])
def test_only_regressions_are_told(
    watched_benchmark: Benchmark, level: float, notice_count: int
) -> None:
    another_night(watched_benchmark, level)

    assert tell_new_regressions() == RegressionNotice.objects.count() == notice_count


def test_without_mail_or_webhook_there_is_a_log(
    watched_benchmark: Benchmark, as_vic: Client, caplog: pytest.LogCaptureFixture
) -> None:
    recording = another_night(watched_benchmark, 0.7)

    with caplog.at_level(logging.WARNING, "analysis.trend.services"):
        tell_new_regressions()

    assert not OutgoingNotice.objects.exists()
    assert [watched_benchmark.name in record.message for record in caplog.records] == [True]
    notice = RegressionNotice.objects.get()
    assert (notice.benchmark, notice.recording) == (watched_benchmark, recording)
    assert notice.share == pytest.approx(-0.3, abs=0.01)
    response = as_vic.get("/s/startup-times/data/nightly/trend/")
    assert [count for count, _ in parts(response, "data-told")] == ["1"]


def test_the_first_look_tells_nothing_of_what_is_there(dataset: Dataset, nights: Nights) -> None:
    nights([1.0] * 10 + [0.7], unit="pps", mode="")

    assert [tell_new_regressions(), tell_new_regressions()] == [0, 0]
    assert TrendWatch.objects.count() == 1


def test_an_empty_installation_is_watched_from_its_first_series(
    db: None, dataset: Dataset, nights: Nights
) -> None:
    assert tell_new_regressions() == 0

    nights([1.0] * 10 + [0.7], unit="pps", mode="")

    assert tell_new_regressions() == 1


def test_a_look_that_has_too_much_to_compute_goes_on_later(
    watched_benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    another_night(watched_benchmark, 0.7)
    monkeypatch.setattr("analysis.trend.services.AT_ONCE", 0)
    RegressionNotice.objects.all().delete()
    assert tell_new_regressions() == 0

    monkeypatch.undo()
    assert tell_new_regressions() == 1
