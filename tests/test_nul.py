"""A NUL character, wherever a request can hold one: 400 with a sentence, and nothing stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from people.models import Study, User
from series.models import Import

Send = Callable[[Client, str], Any]
FORM = "application/x-www-form-urlencoded"
REQUESTS: dict[str, Send] = {
    "the address": lambda client, here: client.get(f"{here}%00/"),
    "the query": lambda client, here: client.get(f"{here}?q=a%00b"),
    "the query, in a name": lambda client, here: client.get(f"{here}?a%00b=1"),
    "the form": lambda client, here: client.post(f"{here}import/", "numbers=1%00", FORM),
    "the form, in parts": lambda client, here: client.post(f"{here}import/", {"numbers": "a\0"}),
    "the form, beside a file": lambda client, here: client.post(
        f"{here}import/", {"numbers": "\0", "files": SimpleUploadedFile("a.txt", b"1\n2\n")}
    ),
}


@pytest.fixture
def olgas(client: Client, olga: User) -> Client:
    client.force_login(olga)
    return client


@pytest.mark.parametrize("request_place", REQUESTS)
def test_it_is_refused_with_a_sentence(olgas: Client, study: Study, request_place: str) -> None:
    answer = REQUESTS[request_place](olgas, study.get_absolute_url())

    assert answer.status_code == 400
    place = request_place.partition(",")[0]
    assert f"Found a NUL character in {place}, expected text without." in answer.content.decode()
    assert not Import.objects.exists()


def test_also_in_a_cookie_which_may_spell_it_in_digits(client: Client, db: None) -> None:
    client.cookies.load("")
    client.cookies["sessionid"] = "a\0b"  # sent as "a\000b"

    assert client.get("/").status_code == 400


def test_the_token_of_a_form_is_looked_for_before_and_still_it_is_400(olga: User) -> None:
    strict_client = Client(enforce_csrf_checks=True)
    strict_client.get("/sign-in/")

    assert strict_client.post("/sign-in/", {"csrfmiddlewaretoken": "\0"}).status_code == 400


def test_a_name_of_a_file_loses_it(olgas: Client, study: Study) -> None:
    file = SimpleUploadedFile("a.txt", b"1\n2\n")
    file.name = "a\0b.txt"
    olgas.post(f"{study.get_absolute_url()}import/", {"files": file})

    assert Import.objects.get().file_name == "ab.txt"


def test_a_form_without_files_still_reaches_a_view_that_says_where_files_go(
    olgas: Client, study: Study
) -> None:
    answer = olgas.post(f"{study.get_absolute_url()}import/", "numbers=1%0A2", FORM, follow=True)

    assert answer.status_code == 200
    assert Import.objects.get().preview["points"] == 2


def test_other_bytes_pass(olgas: Client, study: Study) -> None:
    assert olgas.get(f"{study.get_absolute_url()}?q=%01%ff%C3%A9").status_code == 200
