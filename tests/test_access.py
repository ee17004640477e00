"""Every route x {signed out, no member, viewer, annotator, owner}, from one table.

A route that is not in the table fails the first test, so none can be added
without saying who may see it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from analysis.models import OwnMethod, Run
from analysis.own import services as own_services
from annotate.models import Task
from annotate.services import report_problem
from people import services
from people.models import Role, Study, User
from series import uploads
from tests.access_table import NOBODY, PEOPLE, STRANGER, TABLE, Route, World

REFUSED = {401, 403, 404, 405}
# Read and found wanting (400, 409, 422), or healthy enough to say that a part is down (503).
ANSWERED = {200, 201, 204, 302, 303, 304, 400, 409, 422, 503}


def routes(resolver: URLResolver) -> Iterator[str]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from routes(entry)
        elif isinstance(entry, URLPattern):
            yield entry.name or str(entry.pattern)


@pytest.fixture
def world(study: Study, task: Task, olga: User, vic: User, ana: User, stranger: User) -> World:
    """What the arguments of every route stand for."""
    problem = report_problem(task, by=ana, text="Cut off at the end.")
    invitation, token = services.invite(study, by=olga, role=Role.VIEWER)
    run = Run.objects.create(study=study, name="Waits", selection={"dataset": "nightly"})
    return {
        "study": study.slug,
        "run": run.public_id,
        "campaign": task.campaign.slug,
        "position": task.position,
        "problem": problem.pk,
        "section": "recipe",
        "slug": "fixed",
        "topic": "add-a-detector",
        "token": token,
        "invitation": invitation.public_id,
        "username": "vic",
        "dataset": task.series.benchmark.dataset.slug,
        "benchmark": task.series.benchmark.public_id,
        "series": task.series.public_id,
        "digest": task.series.digest,
        "own": brought(study, task, olga).public_id,
        "import_id": uploads.keep(study, [b"1.5\n1.4\n"], "two.txt", by=olga).public_id,
    }


def brought(study: Study, task: Task, by: User) -> OwnMethod:
    """A method whose answers came in a file; what it says is nobody's secret here."""
    text = f"series_digest,steady_start\n{task.series.digest},7\n"
    waiting = own_services.keep(study, [text.encode()], "mine.csv", by=by)
    return own_services.bring(waiting)[0]


def address(name: str, route: Route, world: World) -> str:
    return reverse(name, kwargs={each: world[each] for each in route.arguments}) + route.query


def client_of(person: str) -> Client:
    client = Client(raise_request_exception=True)
    if person != NOBODY:
        client.force_login(User.objects.get(username=person))
    return client


def refused(answer: HttpResponseBase) -> bool:
    sent_away = answer.status_code == 302 and "/sign-in/" in answer.headers["Location"]
    return sent_away or answer.status_code in REFUSED


def test_every_route_is_in_the_table() -> None:
    assert sorted(set(routes(get_resolver()))) == sorted(TABLE)


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("person", PEOPLE)
def test_reading(person: str, name: str, world: World) -> None:
    route = TABLE[name]

    answer = client_of(person).get(address(name, route, world))

    if person in route.get:
        assert answer.status_code in ANSWERED
        assert not refused(answer)
    else:
        assert refused(answer) or answer.status_code == 302
    if person == STRANGER and "study" in route.arguments:
        assert answer.status_code in {404, 405}  # that the study exists is news too


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("person", PEOPLE)
def test_writing(person: str, name: str, world: World) -> None:
    route = TABLE[name]

    answer = client_of(person).post(address(name, route, world))

    if person in route.post:
        assert answer.status_code in ANSWERED
        assert not refused(answer)
    else:
        assert refused(answer) or answer.status_code == 302
    if person == STRANGER and "study" in route.arguments:
        assert answer.status_code in {404, 405}
