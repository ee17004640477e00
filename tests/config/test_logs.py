"""The log: each request has an id, which stands in its answer, its lines and its workers' lines."""

from __future__ import annotations

import json
import logging
import logging.config
import re
from collections.abc import Iterator
from datetime import datetime
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import get_resolver, reverse

from config import celery, logs
from people import request_facts, services
from people.models import Study, User
from people.request_facts import RequestFacts

GIVEN = "proxy-7.f00:1"


def of_answer(client: Client, **headers: str) -> str:
    return client.get("/help/", headers=headers).headers["X-Request-ID"]


def test_every_answer_has_an_id_of_its_own(client: Client, db: None) -> None:
    first, second = of_answer(client), of_answer(client)

    assert len({first, second}) == 2
    assert min(map(len, (first, second))) == 16


def test_an_id_is_taken_from_the_header_that_the_setting_trusts(
    client: Client, db: None, settings: Any
) -> None:
    untrusted = of_answer(client, **{"X-Request-ID": GIVEN})
    settings.REQUEST_ID_HEADER = "X-Request-ID"

    assert untrusted != GIVEN
    assert of_answer(client, **{"X-Request-ID": GIVEN}) == GIVEN


@pytest.mark.parametrize("wrong", ["", "a b", "x" * 65, 'a","level":"x', "ä"])
def test_a_word_that_is_no_id_is_not_taken(
    wrong: str, client: Client, db: None, settings: Any
) -> None:
    settings.REQUEST_ID_HEADER = "X-Request-ID"

    assert len(of_answer(client, **{"X-Request-ID": wrong})) == 16


def test_a_request_is_a_line_without_what_its_address_keeps_secret(
    client: Client, db: None, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="config.middleware"):
        client.get("/join/a-secret-token/")
        client.get("/nothing/of/this/name/")

    messages = [
        record.getMessage() for record in caplog.records if record.name == "config.middleware"
    ]
    assert messages == ["GET join/<str:token>/ 404", "GET  404"]


@pytest.fixture
def said_of_requests(monkeypatch: pytest.MonkeyPatch) -> Iterator[StringIO]:
    """What the console is told of refused requests, as JSON with every field."""
    monkeypatch.setenv("PLATEAU_LOG_FORMAT", "json")
    configurator = logging.config.DictConfigurator(logs.log_settings())
    configurator.configure_root = lambda *_: None  # type: ignore[method-assign]  # pytest's stays
    configurator.configure()
    console: Any = configurator.config["handlers"]["console"]
    log = logging.getLogger("django")
    console.setStream(StringIO())
    log.addHandler(console)
    yield console.stream
    log.removeHandler(console)


def test_a_refused_request_tells_the_log_no_token(
    said_of_requests: StringIO, study: Study, olga: User
) -> None:
    """An invitation whose form was sent without the cookie is still good."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    token = services.create_invitation(study, by=olga, role="viewer").token
    address = reverse("join", args=[token])
    reset = services.password_path(olga)

    client.post(address)
    client.post(f"{address}?next={token}", headers={"Referer": f"https://testserver{address}"})
    client.put(address)
    client.post(reset)
    client.get(f"/s/startup-times/{token}/of/no/page/")

    text = said_of_requests.getvalue()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["request"] for line in lines] == [
        "POST /join/…/",
        "POST /join/…/",
        "PUT /join/…/",
        f"POST /password/{reset.split('/')[2]}/…/",
        "GET /s/startup-times/…/of/no/page/",
    ]
    assert lines[0]["message"] == "Forbidden (CSRF cookie not set.): /join/…/"
    assert token not in text
    assert reset.split("/")[-2] not in text


def test_every_secret_of_an_address_is_known() -> None:
    """An argument of that kind with another name is public, or belongs to the list."""
    names = re.findall(r"<str:(\w*token\w*)>", " ".join(map(str, get_resolver().url_patterns)))

    assert {*names, "mail_token"} <= logs.SECRET_ARGUMENTS | {"api_token"}


# --- JSON -----------------------------------------------------------------------------------------
def log_line(monkeypatch: pytest.MonkeyPatch, capsys: Any, form: str) -> str:
    """A line with a line break, a quote and a field of its own, from within a request."""
    monkeypatch.setenv("PLATEAU_LOG_FORMAT", form)
    log_config = logs.log_settings()
    handler = logging.config.DictConfigurator(log_config)
    handler.configure_root = lambda *_: None  # type: ignore[method-assign]  # pytest's stays
    handler.configure()
    console: Any = handler.config["handlers"]["console"]
    log = logging.Logger("plateau.test")  # noqa: LOG001  # of no tree: no other handler hears it
    log.addHandler(console)
    token = request_facts.current.set(RequestFacts(GIVEN))
    log.info('two\nlines "quoted"', extra={"ms": 1.5})
    request_facts.current.reset(token)
    return str(capsys.readouterr().err)


def test_json_is_one_object_a_line(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    text = log_line(monkeypatch, capsys, "json")

    line = json.loads(text)
    assert text.count("\n") == 1
    assert datetime.fromisoformat(line.pop("time")).tzinfo is not None
    assert line == {
        "level": "INFO",
        "logger": "plateau.test",
        "request_id": GIVEN,
        "message": 'two\nlines "quoted"',
        "ms": 1.5,
    }


def test_lines_of_text_have_the_id_too(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    assert f'INFO plateau.test [{GIVEN}] two\nlines "quoted"' in log_line(
        monkeypatch, capsys, "line"
    )


def test_another_format_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATEAU_LOG_FORMAT", "xml")

    with pytest.raises(ImproperlyConfigured, match="found 'xml', expected one of line, json"):
        logs.log_settings()


# --- workers --------------------------------------------------------------------------------------
def ids_of_task(**headers: str) -> tuple[str, str]:
    """The id while a worker's task runs, and after it."""
    task: Any = SimpleNamespace(request=SimpleNamespace(**headers))
    celery.take_request_id(task_id="the-task", task=task)
    id_during = request_facts.current.get().id
    celery.forget_request_id()
    return id_during, request_facts.current.get().id


def test_a_task_has_the_id_of_the_request_that_sent_it() -> None:
    headers: dict[str, Any] = {}
    token = request_facts.current.set(RequestFacts(GIVEN))
    celery.send_request_id(headers=headers)
    request_facts.current.reset(token)

    assert ids_of_task(**headers) == (GIVEN, "-")


def test_a_task_that_no_request_sent_has_its_own() -> None:
    headers: dict[str, Any] = {}
    celery.send_request_id(headers=headers)

    assert headers == {}
    assert ids_of_task() == ("the-task", "-")
