"""Every operation of the API x every kind of token; a new one is walked without being named."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotate.models import Task
from api.urls import api
from people.models import ApiToken, Role, Study, User
from people.tokens import make_token, revoke_token, usable_token
from series.models import Series
from tests.api.conftest import Program

SCHEMA = api.get_openapi_schema(path_prefix="/api/v1/")
OPERATIONS = [
    (method, path, said["tags"][0])
    for path, methods in SCHEMA["paths"].items()
    for method, said in methods.items()
]
every_operation = pytest.mark.parametrize(("method", "path", "scope"), OPERATIONS)
REFUSED = {401, 403, 404}


def ask(client: Client, method: str, path: str, task: Task) -> int:
    """The status of the answer, which says why where it is a refusal."""
    answer = answer_of(client, method, path, task)
    assert answer.status_code not in REFUSED or answer.json()["sentence"].endswith(".")
    return answer.status_code


def answer_of(client: Client, method: str, path: str, task: Task) -> Any:
    names = {
        "dataset": task.series.benchmark.dataset.slug,
        "series": task.series.public_id,
        "campaign": task.campaign.slug,
        "import_id": "none",
        "run": "none",
    }
    url = path.format(**names)
    if method == "get":
        return client.get(url)
    url += "?file=x.csv" if "measurements" in url else ""
    body = {"methods": ["fixed"]} if "runs" in url else b"1\n2\n"
    kind = "application/json" if "runs" in url else "application/octet-stream"
    return client.post(url, body, content_type=kind)


@every_operation
def test_nobody_asks_without_a_good_token(
    method: str, path: str, scope: str, task: Task, study: Study, olga: User
) -> None:
    revoked_token, text = make_token(study, by=olga, name="x", scopes=[scope], days=1)
    revoke_token(revoked_token)

    for header in ({}, {"authorization": "Bearer plateau_x"}, {"authorization": f"Bearer {text}"}):
        assert ask(Client(headers=header), method, path, task) == 401
    session_client = Client()
    session_client.force_login(olga)
    assert ask(session_client, method, path, task) == 401


@every_operation
def test_a_token_is_for_its_scopes_alone(
    method: str, path: str, scope: str, task: Task, olga: User, program: Program
) -> None:
    other_scopes = {"read", "import", "run"} - {scope}

    assert ask(program(olga, *other_scopes), method, path, task) == 403
    assert ask(program(olga, scope), method, path, task) != 403


@every_operation
def test_a_token_of_another_study_finds_nothing(
    method: str, path: str, scope: str, task: Task, stranger: User, program: Program
) -> None:
    study = Study.objects.create(name="Other", slug="other")
    study.memberships.create(user=stranger, role=Role.VIEWER)
    if path in {"/api/v1/study", "/api/v1/comparison"}:
        return  # name nothing of a study; what they show is tested in test_reads

    assert ask(program(stranger, scope, study=study), method, path, task) in REFUSED


@pytest.mark.parametrize("person_name", ["vic", "ana"])
def test_who_is_no_owner_only_reads(
    person_name: str, task: Task, program: Program, request: pytest.FixtureRequest
) -> None:
    client = program(request.getfixturevalue(person_name))

    post_operations = [operation for operation in OPERATIONS if operation[0] == "post"]
    assert {ask(client, method, path, task) for method, path, _ in post_operations} == {403}
    assert ask(client, "get", "/api/v1/study", task) == 200


def test_a_token_ends_with_its_maker_its_time_and_its_study(
    study: Study, olga: User, ben: User
) -> None:
    token, text = make_token(study, by=ben, name="x", scopes=["read"], days=1)
    assert usable_token(text) == token

    ApiToken.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert usable_token(text) is None
    ApiToken.objects.update(expires=None)
    assert usable_token(text) == token
    study.memberships.filter(user=ben).delete()
    assert usable_token(text) is None
    study.memberships.create(user=ben, role=Role.OWNER)
    ben.is_active = False
    ben.save()
    assert usable_token(text) is None


def test_only_the_digest_is_stored_and_use_is_noted(study: Study, olga: User) -> None:
    token, text = make_token(study, by=olga, name="x", scopes=["run", "read"], days=None)

    assert text not in str(ApiToken.objects.values())
    assert token.scopes == "read run"
    assert usable_token(text)
    token.refresh_from_db()
    assert token.last_used is not None


def test_digests_and_shapes_of_series_to_be_answered_are_left_out(
    task: Task, ana: User, olga: User, program: Program
) -> None:
    address = f"/api/v1/series/{task.series.public_id}"

    assert program(olga).get(address).json()["digest"] == task.series.digest
    assert program(olga).get(address).json()["shape"] == "step-down"
    blind_document = program(ana).get(address).json()
    assert [blind_document[name] for name in ("digest", "shape", "noise")] == ["", "", ""]
    series_address = f"/api/v1/datasets/{task.series.benchmark.dataset.slug}/series"
    assert {
        series_row["digest"] for series_row in program(ana).get(series_address).json()["series"]
    } == {""}
    assert Series.objects.count() == 1


def test_the_page_shows_a_token_once(client: Client, olga: User, study: Study) -> None:
    client.force_login(olga)
    address = f"/s/{study.slug}/people/tokens/"

    response = client.post(address, {"name": "Nightly", "scopes": ["read", "import"], "days": "90"})
    repeated_response = client.get(address)

    token = study.tokens.get()
    assert "data-new-token" in response.content.decode()
    assert "data-new-token" not in repeated_response.content.decode()
    assert token.scopes == "read import"
    assert client.post(address, {"name": "", "scopes": []}).status_code == 422
    client.post(f"{address}{token.public_id}/revocation/")
    token.refresh_from_db()
    assert token.revoked
