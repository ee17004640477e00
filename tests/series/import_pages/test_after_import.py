"""What comes next after an import: times of this machine and of this study, or none."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.runs.models import Run
from analysis.runs.timing import RunTime, expected_time
from annotate.answering.services import save_mark
from annotate.campaigns.pace import seconds_a_series
from annotate.models import Campaign, Mark, Task
from detectors.least_lengths import least_lengths
from detectors.registry import registry
from people.models import Study, User
from series.importing import uploads
from series.models import Dataset, Import, Series


@pytest.fixture
def make_run(study: Study) -> Callable[..., Run]:
    """A finished run of two methods on ten series, which took 40 s."""

    def make(**fields: object) -> Run:
        begin_time = timezone.now() - timedelta(minutes=5)
        defaults = {
            "state": Run.State.DONE,
            "detectors": ["fixed@1", "mser@1"],
            "wanted": 20,
            "began": begin_time,
            "finished": begin_time + timedelta(seconds=40),
        }
        return Run.objects.create(study=study, name="Last", **{**defaults, **fields})

    return make


@pytest.fixture
def store_answers(
    make_task: Callable[[Series], Task], make_series: Callable[..., Series], ana: User, ben: User
) -> Callable[[int], None]:
    """So many answers, which took 10, 20, … seconds."""

    def make(count: int) -> None:
        for number in range(count):
            task = make_task(make_series([2.0, 1.0, 1.0], fork=number))
            digest = task.series.digest
            save_mark(task, by=ana, client_id=uuid4(), digest=digest, kind="never")
            Mark.objects.filter(task=task).update(seconds=10 * (number + 1))

    return make


@pytest.fixture
def page(study: Study, dataset: Dataset, client: Client, olga: User) -> Callable[[int], str]:
    """The page of an import that brought so many series."""

    def get(count: int) -> str:
        earlier_import = Import.objects.create(
            study=study, dataset=dataset, file_name="a.csv", file_digest=uuid4().hex, size=1,
            state=Import.State.DONE, stored=count,
        )  # fmt: skip
        client.force_login(olga)
        address = reverse("import-one", args=[study.slug, earlier_import.public_id])
        return " ".join(client.get(address).content.decode().split())

    return get


@pytest.fixture
def keep_upload(study: Study, olga: User) -> Callable[[int], Import]:
    """A file of so many series that waits to be confirmed."""

    def keep(count: int) -> Import:
        rows = [f"new.One,{fork},{iteration},1" for fork in range(count) for iteration in range(2)]
        text = "\n".join(["benchmark,fork,iteration,value", *rows])
        return uploads.store_upload(study, [text.encode()], "new.csv", by=olga)

    return keep


def times_in(page_text: str) -> list[str]:
    times = re.findall('data-(?:run|people)-time="([^"]*)"', page_text)
    return [time.replace("\xa0", " ").replace("\u202f", " ") for time in times]


def test_where_nothing_was_run_or_answered_no_time_is_said(page: Callable[[int], str]) -> None:
    page_text = page(22)

    assert "data-run-time" not in page_text
    assert "data-people-time" not in page_text


def test_the_times_are_those_of_the_last_run_and_of_this_study(
    page: Callable[[int], str], make_run: Callable[..., Run], store_answers: Callable[[int], None]
) -> None:
    make_run()
    store_answers(5)

    page_text = page(22)

    assert times_in(page_text) == ["11 min", "88 s"]


@pytest.mark.parametrize(("count", "times"), [(1, ["30 s", "4 s"]), (2, ["60 s", "8 s"])])
def test_the_preview_names_the_times_before_anything_is_stored(
    client: Client,
    olga: User,
    keep_upload: Callable[[int], Import],
    make_run: Callable[..., Run],
    store_answers: Callable[[int], None],
    count: int,
    times: list[str],
) -> None:
    make_run()
    store_answers(5)
    upload = keep_upload(count)
    client.force_login(olga)
    slugs = [upload.study.slug]

    preview = client.get(reverse("import-one", args=[*slugs, upload.public_id])).content.decode()
    chosen = {"uploads": upload.public_id, "dataset": "+"}
    change = client.post(reverse("import-forecast", args=slugs), chosen).content.decode()
    none = client.post(reverse("import-forecast", args=slugs), {"dataset": "+"}).content.decode()

    assert times_in(preview) == times_in(change) == times
    assert times_in(none) == []
    assert 'id="import-next" hx-swap-oob="true"' in change
    assert "hx-swap-oob" not in preview


def test_the_preview_without_a_run_says_how_many_series(
    client: Client, olga: User, keep_upload: Callable[[int], Import]
) -> None:
    upload = keep_upload(2)
    client.force_login(olga)

    response = client.get(reverse("import-one", args=[upload.study.slug, upload.public_id]))

    page_text = " ".join(response.content.decode().split())
    ready_count, method_count = len(least_lengths()), len(registry())
    assert (
        f"{ready_count} of {method_count}, on 2 series. The rest lack a model or a package."
        in page_text
    )
    assert "A campaign of 2 series." in page_text


@pytest.mark.parametrize(
    "fields",
    [
        {"stored_before": 20},  # it computed nothing
        {"state": "stopped"},
        {"finished": None},
        {"began": None},
    ],
)
def test_a_run_that_tells_no_speed_is_passed_over(
    make_run: Callable[..., Run], fields: dict[str, object]
) -> None:
    make_run(**fields)

    assert expected_time(22) is None


def test_what_a_run_found_stored_took_no_time(make_run: Callable[..., Run]) -> None:
    make_run(stored_before=10)

    assert expected_time(1) == RunTime(method_count=2, series_count=1, seconds=8.0)


def test_an_import_without_new_series_takes_no_time(make_run: Callable[..., Run]) -> None:
    make_run()

    assert expected_time(0) is None


@pytest.mark.parametrize(("answers", "seconds"), [(0, None), (1, None), (4, None), (5, 30.0)])
def test_a_pace_needs_a_few_answers(
    study: Study, store_answers: Callable[[int], None], answers: int, seconds: float | None
) -> None:
    store_answers(answers)

    assert seconds_a_series(study) == seconds


def test_simulated_annotators_tell_no_pace(
    study: Study, store_answers: Callable[[int], None]
) -> None:
    store_answers(5)
    Campaign.objects.update(simulated=True, name="X, simulated annotators")

    assert seconds_a_series(study) is None
