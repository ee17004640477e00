"""What the navigation says of runs, and what that costs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.models import Value
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.runs.models import Chunk, Run
from analysis.tuning.models import Exploration, Part
from analysis.work.models import Job
from people import nav_badges
from people.models import Membership, Role, Study, User
from people.nav_badges import NavBadge

ENTRY = re.compile(r'<a data-place="(\w+)".*?</a>')
State = Job.State


def entry(client: Client, place: str, address: str = "/s/startup-times/data/") -> str:
    """The entry of the bar, without its icon-bearing twin below."""
    page = client.get(address, follow=True).content.decode()
    return next(match[0] for match in ENTRY.finditer(page) if match[1] == place)


def run_of(study: Study, state: State, failed_count: int = 0) -> None:
    run = Run.objects.create(study=study, name="run", state=state)
    Chunk.objects.create(job=run, detector_key="m@1", size=9, failed_count=failed_count)


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ([], ""),
        ([(State.DONE, 0)], ""),
        ([(State.QUEUED, 0)], "a run is in progress"),
        ([(State.RUNNING, 1)], "a run is in progress"),
        ([(State.RUNNING, 0), (State.DONE, 0)], "a run is in progress"),  # whichever began first
        ([(State.DONE, 0), (State.DONE, 2)], "a run has failures"),
        ([(State.DONE, 2), (State.DONE, 0)], ""),
        ([(State.DONE, 2), (State.STOPPED, 0)], ""),
    ],
)
def test_the_entry_says_how_the_runs_of_its_study_are(
    client: Client, vic: User, study: Study, runs: list[tuple[State, int]], words: str
) -> None:
    other_study = Study.objects.create(name="Other", slug="other")
    Membership.objects.create(study=other_study, user=vic, role=Role.VIEWER)
    run_of(other_study, State.RUNNING, failed_count=3)  # of which this study says nothing
    for state, failed_count in runs:
        run_of(study, state, failed_count)
    client.force_login(vic)

    text = entry(client, "runs")

    assert re.findall(r'visually-hidden">, ([^<]+)<', text) == [words] * bool(words)
    assert ("dot-failed" in text) == (words == "a run has failures")


@pytest.mark.parametrize(
    ("run", "state", "failed", "words"),
    [
        (None, "running", 0, "sensitivity or tuning is in progress"),
        (None, "done", 2, "sensitivity or tuning has failures"),
        (None, "done", 0, ""),
        (State.RUNNING, "queued", 0, "a run is in progress"),
        (State.DONE, "queued", 0, "sensitivity or tuning is in progress"),
        (State.DONE, "done", 1, "sensitivity or tuning has failures"),
    ],
)
def test_sensitivity_and_tuning_are_told_too(
    client: Client, vic: User, study: Study, run: State | None, state: str, failed: int, words: str
) -> None:
    if run:
        run_of(study, run)
    counts = {"series_count": 3, "wanted": 3}
    exploration = Exploration.objects.create(
        study=study, name="x", kind="grid", state=state, **counts
    )
    Part.objects.create(
        job=exploration, first_set=0, sets=3, first_series=0, series=3, size=9, failed_count=failed
    )
    client.force_login(vic)

    text = entry(client, "runs")

    assert re.findall(r'visually-hidden">, ([^<]+)<', text) == [words] * bool(words)


def test_a_sign_costs_no_query(client: Client, vic: User, study: Study) -> None:
    run_of(study, State.RUNNING)
    client.force_login(vic)

    with CaptureQueriesContext(connection) as queries:
        entry(client, "runs")

    assert sum("people_membership" in query["sql"] for query in queries) == 2  # access, frame
    assert [query for query in queries if query["sql"].startswith('SELECT "analysis_')] == []


@pytest.fixture
def counted_badge() -> Iterator[None]:
    badges = dict(nav_badges._registered.entries)
    nav_badges.register_badge(
        "compare", lambda _user: Value(12000), lambda n: NavBadge("count", "open cases", n)
    )
    yield
    nav_badges._registered.entries.clear()
    nav_badges._registered.entries.update(badges)


@pytest.mark.usefixtures("counted_badge")
def test_a_sign_may_be_a_number(client: Client, vic: User, study: Study) -> None:
    client.force_login(vic)
    memberships = nav_badges.with_badges(vic.memberships.all(), vic, study.slug)

    assert nav_badges.nav_badges_for(memberships.get())["compare"].count == 12000
    assert (
        nav_badges.nav_badges_for(vic.memberships.get()) == {}
    )  # outside of a study nothing is asked


def test_a_kept_sign_is_read_anew_only_at_its_place(vic: User, study: Study) -> None:
    registered_badges = dict(nav_badges._registered.entries)
    values = iter((1, 2))
    nav_badges.register_badge(
        "compare",
        lambda _user: Value(next(values)),
        lambda n: NavBadge("count", "open", n),
        keep=60,
    )
    try:
        read_badges = [
            nav_badges.nav_badges_for(
                nav_badges.with_badges(
                    vic.memberships.all(), vic, study.slug, page_place=place
                ).get()
            )
            for place in ("data", "runs", "compare", "data")
        ]
    finally:
        nav_badges._registered.entries.clear()
        nav_badges._registered.entries.update(registered_badges)

    assert [badges["compare"].count for badges in read_badges] == [1, 1, 2, 2]
