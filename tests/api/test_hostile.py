"""Hostile requests to every operation: each is answered, and an error is a problem (RFC 9457).

Also run on PostgreSQL, which refuses texts that SQLite stores: there requests with such values, on
SQLite every third of all requests. `make test-every` sends all of them to both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from annotate.models import Task
from people.models import Study, User
from series.models import Dataset
from tests.api.conftest import Program
from tests.api.test_access import OPERATIONS, SCHEMA
from tests.every_case import EVERY_CASE

LONG = "x" * 50_001
TEXTS = ["", " ", "\0", "a\0b", "\ud800", "\x1b\n", "Nightly", "jdk21.0", "🦔" * 130, LONG[:5000]]
NUMBERS = ["0", "-1", "1e9", "9" * 400, "NaN", "null"]
TIMES = ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "0", "1e300", "2026-02-30"]
VALUES: list[Any] = [*TEXTS, LONG, None, True, 1e300, 10**400, [], {}, [[]], ["fixed"] * 50_001]
BODIES: list[bytes] = [
    *(b"", b"{", b"[]", b"null", b'"x"', b"NaN", b"1e400", b"\xff\xfe", b"\xed\xa0\x80"),
    *(b"[" * 100_000, b'{"methods":' * 500, b'{"a\\u0000": 1}', b'{"methods": ["\\ud800"]}'),
    '{"methods": ["a\0"]}'.encode("utf-16"),
    b'{"methods": ["fixed"], "name": "' + b"x" * 6_000_000 + b'"}',
]


# Values that PostgreSQL refuses, or keeps in another way than SQLite.
POSTGRESQL_VALUES: list[Any] = [
    *("\0", "a\0b", "\ud800", LONG[:5000], LONG, "-1", "9" * 400, *TIMES[:2], 1e300, 10**400)
]
SENDS_FEWER = not EVERY_CASE and connection.vendor == "postgresql"


def address_text(text: str) -> str:
    """`text` as an address can hold it: a lone surrogate is three bytes that are no UTF-8."""
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def requests(method: str, path: str, names: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """Address and body of every hostile request to one operation."""
    operation = SCHEMA["paths"][path][method]
    for parameter in operation.get("parameters", ()):
        name = parameter["name"]
        for text in sent_values([*TEXTS, *NUMBERS, *TIMES]):
            if parameter["in"] == "path":
                named_path = path.replace(f"{{{name}}}", address_text(text)).format(**names)
                yield named_path, b""
            else:
                yield f"{path.format(**names)}?{name}={address_text(text)}", b"1.5\n"
    plain_path = path.format(**names)
    for body in () if SENDS_FEWER else BODIES:
        yield plain_path, body
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json")
    for name in properties(schema["schema"]) if schema else ():
        for value in sent_values(VALUES):
            yield plain_path, json.dumps({"methods": ["fixed"], name: value}).encode()


def sent_values(values: list[Any]) -> list[Any]:
    """Values that requests carry to this database."""
    return [value for value in values if value in POSTGRESQL_VALUES] if SENDS_FEWER else values


def properties(schema: dict[str, Any]) -> list[str]:
    resolved_schema = SCHEMA["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return list(resolved_schema["properties"])


@pytest.mark.parametrize(("method", "path", "scope"), OPERATIONS)
def test_every_operation_answers_whatever_comes(
    method: str, path: str, scope: str, task: Task, olga: User, program: Program
) -> None:
    client = program(olga, scope)
    client.raise_request_exception = False
    names = {
        "dataset": task.series.benchmark.dataset.slug,
        "series": task.series.public_id,
        "campaign": task.campaign.slug,
        "import_id": "none",
        "run": "none",
    }

    faults = {}
    step = 1 if EVERY_CASE or connection.vendor == "postgresql" else 3
    for url, body in islice(requests(method, path, names), 0, None, step):
        answer = client.generic(method, url, body, content_type="application/json")
        if problem := fault(answer):
            faults[url[:80], body[:40]] = problem

    assert faults == {}


def fault(answer: Any) -> str:
    """What is wrong with an answer; empty for a good one."""
    status = answer.status_code
    if status < 400:
        return ""
    if status >= 500 or answer.headers["Content-Type"] != "application/problem+json":
        return f"{status} {answer.headers['Content-Type']}"
    problem = answer.json()
    members = {"type", "title", "status", "detail", "sentence", "reference"}
    is_good = members <= problem.keys() and problem["status"] == status and problem["detail"]
    return "" if is_good and len(answer.content) < 5_000 else f"{status}: {problem}"


def test_a_body_beyond_what_is_kept_in_memory_is_refused(
    task: Task, olga: User, program: Program
) -> None:
    url = f"/api/v1/datasets/{task.series.benchmark.dataset.slug}/runs"

    answer = program(olga).post(url, BODIES[-1], content_type="application/json")

    assert (answer.status_code, fault(answer)) == (413, "")


@pytest.mark.parametrize("name", ["Nightly", "jdk21.0", "Ünïcode & no", "a\nb", "x" * 120])
def test_a_data_set_is_called_as_it_was_made(
    name: str, study: Study, olga: User, program: Program
) -> None:
    client, quoted_name = program(olga), quote(name)

    def push(data: bytes) -> Any:
        url = f"/api/v1/datasets/{quoted_name}/measurements?{urlencode({'file': 'a.csv'})}"
        return client.post(url, data, content_type="application/octet-stream")

    first_response, second_response = push(b"1.5\n1.4\n"), push(b"1.5\n1.4\n")
    csv_response = push(b"benchmark,iteration,value\nb,0,1.5\n")

    assert [answer.status_code for answer in (first_response, second_response, csv_response)] == [
        200,
        200,
        200,
    ]
    assert first_response.json() == second_response.json()
    dataset = Dataset.objects.get()
    assert (dataset.name, csv_response.json()["dataset"]) == (name, dataset.slug)
    for path in ("series", "values.csv", "detections?format=csv", "trend?format=csv"):
        assert client.get(f"/api/v1/datasets/{quoted_name}/{path}").status_code == 200


def test_too_many_methods_are_refused_before_any_is_looked_at(
    task: Task, olga: User, program: Program
) -> None:
    url = f"/api/v1/datasets/{task.series.benchmark.dataset.slug}/runs"
    document = {"methods": ["fixed"] * 201}

    answer = program(olga).post(url, document, content_type="application/json")

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["where"] == "methods"
    assert "at most 200 items" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("method", "url", "status", "header"),
    [
        ("get", "/api/v1/nothing", 404, ""),
        ("get", "/api/", 404, ""),
        ("delete", "/api/v1/study", 405, "Allow"),
        ("get", "/api/v1/study", 401, "WWW-Authenticate"),
        ("get", "/api/v1/study?a=%00", 400, ""),
    ],
)
@pytest.mark.django_db
def test_errors_around_the_operations_are_problems_too(
    client: Client, method: str, url: str, status: int, header: str
) -> None:
    answer = client.generic(method.upper(), url)

    assert answer.status_code == status
    assert fault(answer) == ""
    assert header in {"", *answer.headers}


def test_a_challenge_says_what_is_wrong_with_a_token(
    study: Study, vic: User, program: Program
) -> None:
    def challenge(client: Client) -> str:
        return client.get("/api/v1/study").headers["WWW-Authenticate"]

    assert challenge(Client()) == 'Bearer realm="Plateau"'
    wrong_client = Client(headers={"authorization": "Bearer plateau_x"})
    assert challenge(wrong_client).endswith('error="invalid_token"')
    run_client = program(vic, "run")
    assert challenge(run_client).endswith('error="insufficient_scope", scope="read"')


def test_a_fault_is_a_problem_without_details_of_it(
    study: Study, olga: User, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("secret")

    client = program(olga)
    client.raise_request_exception = False
    monkeypatch.setattr("api.reads.StudyOut", fail)

    answer = client.get("/api/v1/study")

    assert (answer.status_code, answer.headers["Content-Type"]) == (500, "application/problem+json")
    assert "secret" not in answer.content.decode()
    assert answer.json()["reference"] == answer.headers["X-Request-ID"]


def test_head_is_answered_as_get(client: Client, study: Study, olga: User) -> None:
    client.force_login(olga)

    for url in ("/health/", study.get_absolute_url(), reverse("account")):
        head_response, get_response = client.head(url), client.get(url)
        assert (head_response.status_code, head_response.content) == (get_response.status_code, b"")
