"""What online methods knew of a series after each iteration."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.test import Client

from analysis.series_page import online_course
from analysis.series_page.online_course import AnswerChange, online_courses_page
from annotate.models import Campaign
from detectors.contract import Detector, DetectorError, OnlineDetector, Values
from detectors.registry import registry
from people.models import User
from series.models import Series
from tests.analysis.comparison.conftest import key_of

Store = Callable[..., None]
ONLINE = [slug for slug, method in registry().items() if issubclass(method, OnlineDetector)]


@pytest.fixture
def as_vic(client: Client, vic: User) -> Client:
    client.force_login(vic)
    return client


def address(series: Series, query: str = "") -> str:
    return f"{series.get_absolute_url()}online/{query}"


@pytest.mark.parametrize("slug", ONLINE)
def test_a_course_is_the_answer_to_every_beginning_of_the_series(
    slug: str, four_series: list[Series], store: Store
) -> None:
    """Once final it stays; until then it is that of the last value at which the method decided."""
    cache.clear()
    store(key_of(slug), four_series[:1], [0])
    values, detector = four_series[0].array(), registry()[slug]()

    (row,) = online_courses_page(four_series[0], "").rows

    course = row.course
    for iteration, start in (
        course.changes[:-1] if course.final_iteration is None else course.changes
    ):
        assert detector.answer(values[: iteration + 1]).steady_start == start
    ends, problem = _answer(detector, values)
    assert (course.answer_after(four_series[0].n - 1), course.problem) == (ends, problem)


def _answer(detector: Detector, values: Values) -> tuple[int | None, str]:
    try:
        return detector.answer(values).steady_start, ""
    except DetectorError as error:
        return None, str(error)


def test_kb_kssd_changes_its_mind_where_it_says_so(four_series: list[Series], store: Store) -> None:
    cache.clear()
    store(key_of("kb-kssd"), four_series[:1], [50])

    courses = online_courses_page(four_series[0], "110")

    (row,) = courses.rows
    assert row.course.changes[0].iteration == 104
    assert row.answer == row.course.changes[0].start
    assert (online_courses_page(four_series[0], "103").rows[0].answer, courses.iteration) == (
        None,
        110,
    )


@pytest.mark.parametrize("text", ["", "x", "-3", "99999", "9" * 5000, "²"])
def test_an_iteration_that_is_none_is_the_last(four_series: list[Series], text: str) -> None:
    assert online_courses_page(four_series[0], text).iteration == 199


def test_it_is_read_once_and_kept(
    four_series: list[Series], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    store(key_of("sdm"), four_series[:1], [0])
    courses_before = online_courses_page(four_series[0], "")
    monkeypatch.setattr(online_course, "MOST_SECONDS", -1.0)

    assert online_courses_page(four_series[0], "") == courses_before


def test_what_takes_too_long_says_what_to_type(
    four_series: list[Series], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    store(key_of("sdm", batch=20), four_series[:1], [0])
    monkeypatch.setattr(online_course, "MOST_SECONDS", -1.0)

    assert online_courses_page(four_series[0], "").rows[0].course.problem == (
        "Reading 200 iterations one by one takes longer than -1 s. Download the values, and type: "
        "python -m detectors watch --method sdm --param batch=20 < values.txt"
    )


def test_a_long_series_is_asked_at_fewer_places(
    four_series: list[Series], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    store(key_of("kb-kssd"), four_series[:1], [50])
    monkeypatch.setattr(online_course, "EACH", 100)
    monkeypatch.setattr(online_course, "POINTS", 4)

    courses = online_courses_page(four_series[0], "")

    assert courses.step == 50
    assert courses.rows[0].course.changes[0].iteration == 149  # of 49, 99, 149


def test_the_strip_draws_no_line_for_never() -> None:
    changes = [AnswerChange(104, 100), AnswerChange(120, -1), AnswerChange(150, 0)]
    course = online_course.OnlineCourse(online_course.MethodStyles, changes)  # type: ignore[arg-type]  # no look is drawn

    assert online_course._path(course, 200) == "M520.0 50.0H600.0M750.0 100.0H1000.0"


def test_the_part_begins_at_the_iteration_of_its_address(
    compared_study: Campaign, four_series: list[Series], store: Store, as_vic: Client
) -> None:
    store(key_of("f-test"), four_series[:1], [0])

    fragment = as_vic.get(
        address(four_series[0], "?t=3"), headers={"HX-Request": "true"}
    ).content.decode()

    assert re.search(r'<input [^>]*id="online-t" [^>]*max="199" value="3"', fragment)
    assert "<html" not in fragment
    assert "data-changes=" in fragment
    assert "F-test" in fragment


def test_the_series_page_offers_it_where_a_method_reads_online(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    page = as_vic.get(four_series[0].get_absolute_url()).content.decode()

    assert f'hx-get="{address(four_series[0])}"' in page


def test_nobody_sees_it_before_they_have_answered(
    compared_study: Campaign,
    four_series: list[Series],
    make_person: Callable[..., User],
    client: Client,
) -> None:
    client.force_login(make_person("cleo", "annotator"))

    assert client.get(address(four_series[0])).status_code == 404
