"""Pages are sent packed to who can unpack them; files are sent as they are."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from django.http import FileResponse, HttpResponse, HttpResponseBase
from django.test import Client, RequestFactory

from config.middleware import CompressPages

PAGE = "<p>steady</p>" * 100
ASKED = {"Accept-Encoding": "gzip, br"}


def answer(response: HttpResponseBase, heads: dict[str, str]) -> Any:
    """What the middleware makes of a response."""
    return CompressPages(lambda _: response)(RequestFactory().get("/", headers=heads))


def test_a_page_is_packed_for_who_can_unpack_it() -> None:
    packed_answer = answer(HttpResponse(PAGE), ASKED)

    assert packed_answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed_answer.content).decode() == PAGE
    assert len(packed_answer.content) < len(PAGE) / 3
    assert "Accept-Encoding" in packed_answer.headers["Vary"]


@pytest.mark.parametrize(
    ("response", "heads"),
    [
        (HttpResponse(PAGE), {}),
        (HttpResponse(PAGE, content_type="text/csv"), ASKED),
        (HttpResponse(PAGE, content_type="application/octet-stream"), ASKED),
    ],
)
def test_other_answers_are_sent_as_they_are(response: HttpResponse, heads: dict[str, str]) -> None:
    assert answer(response, heads).content.decode() == PAGE


def test_a_file_stays_a_stream() -> None:
    file = FileResponse([PAGE.encode()], content_type="text/html")

    assert "Content-Encoding" not in answer(file, ASKED).headers


@pytest.mark.django_db
def test_pages_of_the_site_are_packed() -> None:
    response = Client().get("/sign-in/", headers=ASKED)

    assert response.headers["Content-Encoding"] == "gzip"
    assert b"Sign in" in gzip.decompress(response.content)
