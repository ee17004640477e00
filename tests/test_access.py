"""Every route x {signed out, no member, viewer, annotator, owner}, from one table.

A route that is not in the table fails the first test, so none can be added
without saying who may see it.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

import numpy as np
import pytest
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from django.utils import timezone

from analysis.archive import archive_storage
from analysis.archive.models import ArchiveJob, ArchiveUpload
from analysis.methods.models import ImportedMethod
from analysis.methods.saved_sets import save_set
from analysis.removal import services as removal_services
from analysis.removal.models import Removal
from analysis.report.models import ReportJob
from analysis.runs.imported_methods import services as own_services
from analysis.runs.models import Preset, Run
from analysis.training.models import Training
from analysis.tuning.designs import pack_answers, pack_design
from analysis.tuning.models import Exploration, Part
from analysis.web import old_addresses
from annotate.answering.series_aliases import alias_of
from annotate.answering.services import report_problem
from annotate.campaigns import invitations
from annotate.models import Campaign, Task
from people import mail_proof
from people.models import OutgoingNotice, Study, User
from people.tokens import make_token
from series.importing import uploads
from series.models import Series
from tests.access_table import ANA, NOBODY, PEOPLE, STRANGER, TABLE, Route, World

REFUSED = {401, 403, 404, 405}
# Read and found wanting (400, 409, 422), or healthy enough to say that a part is down (503).
ANSWERED = {200, 201, 204, 302, 303, 304, 308, 400, 409, 422, 503}


def routes(resolver: URLResolver) -> Iterator[str]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            if entry.namespace != "api":  # by token: tests/api/test_access.py
                yield from routes(entry)
        elif entry not in old_addresses.urlpatterns:
            yield entry.name or str(entry.pattern)


@pytest.fixture
def world(study: Study, task: Task, olga: User, vic: User, ana: User, stranger: User) -> World:
    """What the arguments of every route stand for."""
    problem = report_problem(task, by=ana, text="Cut off at the end.")
    [invitation] = invitations.invite_to_campaign(task.campaign, [("Dina", "")], by=olga)
    notice = OutgoingNotice.objects.create(study=task.campaign.study, due=timezone.now())
    run = Run.objects.create(study=study, name="Waits", selection={"dataset": "nightly"})
    exploration = add_exploration(study, task)
    preset = Preset.objects.create(
        study=study,
        name="Ours",
        detector_key="fixed@1?iteration=6",
        exploration=exploration,
        provenance={
            "name": "Grid",
            "sets": 3,
            "series": 1,
            "yardstick_title": "Known answers",
            "score": float(np.frombuffer(exploration.truth)[0]),
        },
    )
    token, _ = make_token(study, by=olga, name="Nightly", scopes=["read"], days=30)
    return {
        "study": study.slug,
        "api_token": token.public_id,
        "run": run.public_id,
        "exploration": exploration.public_id,
        "preset": preset.public_id,
        "report": add_report(study).public_id,
        "archive": add_archive(study).public_id,
        "upload": ArchiveUpload.objects.create(by=olga, state="refused").public_id,
        "training": add_training(study).public_id,
        "method_set": save_set(study, "Ours", ["kb-kssd"], user=olga).public_id,
        "campaign": task.campaign.slug,
        "position": task.position,
        "problem": problem.pk,
        "section": "recipe",
        "slug": "fixed",
        "topic": "add-a-detector",
        "decision": "blindness",
        "token": invitation.token,
        "uidb64": "MQ",
        "kind": "campaign",
        "thing": task.campaign.slug,
        "removal": remove_draft(study, olga).public_id,
        "mail_token": mail_proof.proof_path(ana).rstrip("/").rpartition("/")[2],
        "invitation": invitation.public_id,
        "notice": notice.public_id,
        "username": "vic",
        "dataset": task.series.benchmark.dataset.slug,
        "benchmark": task.series.benchmark.public_id,
        "series": task.series.public_id,
        "digest": task.series.digest,
        "alias": alias_of(task, User.objects.get(username=ANA)),
        "own": import_answers(study, task, olga).public_id,
        "import_id": uploads.store_upload(study, [b"1.5\n1.4\n"], "two.txt", by=olga).public_id,
    }


def remove_draft(study: Study, olga: User) -> Removal:
    """A draft that was removed."""
    draft = Campaign.objects.create(study=study, name="Draft", slug="draft")
    return removal_services.remove_from_study(draft, user=olga)


def add_exploration(study: Study, task: Task) -> Exploration:
    """A finished one whose errors are the known answer of the series itself."""
    known_start = Series.objects.values_list("known_start", flat=True).get(pk=task.series_id)
    design = np.array([[500.0], [0.0], [6.0]])
    exploration = Exploration.objects.create(
        study=study,
        name="Grid",
        kind=Exploration.Kind.GRID,
        method="fixed@1",
        varied=[{"name": "iteration", "low": -0.4, "high": 6.4, "rounding": "whole"}],
        yardstick="known",
        yardstick_title="Known answers",
        series_ids=[task.series_id],
        truth=np.array([7.0 if known_start is None else known_start], "<f8").tobytes(),
        truth_digest="0" * 64,
        series_count=1,
        design=pack_design(design),
        planned=3,
        wanted=3,
        state=Exploration.State.DONE,
        finished=timezone.now(),
    )
    answers = pack_answers(design.astype("i4"))
    done_fields = {"state": Part.State.DONE, "answers": answers, "size": 3, "done_count": 3}
    exploration.units.create(first_set=0, sets=3, first_series=0, series=1, **done_fields)
    return exploration


def add_training(study: Study) -> Training:
    """A training on the known answers of every series of the study."""
    rows = Series.objects.filter(benchmark__dataset__study=study).values_list("pk", "known_start")
    labels = [[pk, -1 if first is None else first] for pk, first in rows]
    return Training.objects.create(
        study=study,
        name="Training",
        state=Training.State.DONE,
        finished=timezone.now(),
        yardstick="known",
        yardstick_title="Known answers",
        labels=labels,
        series_count=len(labels),
        model="rocket",
        window=12,
        seeds=1,
        unseen="benchmarks",
    )


def add_report(study: Study) -> ReportJob:
    """A report of every series of the study, in which their known answers stand."""
    series = list(Series.objects.filter(benchmark__dataset__study=study))
    document = io.BytesIO()
    with zipfile.ZipFile(document, "w") as archive:
        archive.writestr("report.html", " ".join(str(s.known_start) for s in series))
    return ReportJob.objects.create(
        study=study,
        name="Report: Known answers",
        state=ReportJob.State.DONE,
        finished=timezone.now(),
        state_key="0" * 64,
        yardstick="",
        series_ids=[s.pk for s in series],
        digest="1" * 64,
        content=document.getvalue(),
    )


def add_archive(study: Study) -> ArchiveJob:
    """An archive of the study that is there."""
    archive_job = ArchiveJob.objects.create(
        study=study, name="Archive", state="done", finished=timezone.now(), digest="2" * 64
    )
    archive_storage.archive_path(archive_job).write_bytes(b"PK")
    return archive_job


def import_answers(study: Study, task: Task, by: User) -> ImportedMethod:
    """A method whose answers came in a file; what it says is nobody's secret here."""
    text = f"series_digest,steady_start\n{task.series.digest},7\n"
    waiting_method = own_services.hold_upload(study, [text.encode()], "mine.csv", user=by)
    return own_services.import_method(waiting_method)[0]


def address(name: str, route: Route, world: World) -> str:
    return (
        reverse(name, kwargs={argument: world[argument] for argument in route.arguments})
        + route.query
    )


def route_answers(
    person: str, world: World, method: str
) -> Iterator[tuple[str, Route, HttpResponseBase]]:
    """What every route answers to `person`; nothing that one of them does meets the next."""
    signed_in = Client()
    if person != NOBODY:
        signed_in.force_login(User.objects.get(username=person))
    for name, route in TABLE.items():
        client = Client(raise_request_exception=True)
        client.cookies.load(signed_in.cookies.output(header="", sep=";"))
        with transaction.atomic():
            yield name, route, client.generic(method, address(name, route, world))
            transaction.set_rollback(True)


def is_refused(answer: HttpResponseBase) -> bool:
    sent_away = answer.status_code == 302 and "/sign-in/" in answer.headers["Location"]
    return sent_away or answer.status_code in REFUSED


def test_every_route_is_in_the_table() -> None:
    assert sorted(set(routes(get_resolver()))) == sorted(TABLE)


@pytest.mark.parametrize("person", [each for each in PEOPLE if each != ANA])
def test_reading(person: str, world: World) -> None:
    """What ana reads is looked at once, with what it must not tell: tests/test_blindness.py."""
    wrong_statuses = [
        (name, answer.status_code)
        for name, route, answer in route_answers(person, world, "GET")
        if not as_it_should(answer, person, route, allowed=person in route.get)
    ]
    assert wrong_statuses == []


@pytest.mark.parametrize("person", PEOPLE)
def test_writing(person: str, world: World) -> None:
    wrong_statuses = [
        (name, answer.status_code)
        for name, route, answer in route_answers(person, world, "POST")
        if not as_it_should(answer, person, route, allowed=person in route.post)
    ]
    assert wrong_statuses == []


def as_it_should(answer: HttpResponseBase, person: str, route: Route, *, allowed: bool) -> bool:
    if person == STRANGER and "study" in route.arguments:
        return answer.status_code in {404, 405}  # that the study exists is news too
    if allowed:
        return answer.status_code in ANSWERED and not is_refused(answer)
    return is_refused(answer) or answer.status_code == 302
