"""Doors of views: who gets a study, who is staff, and for whom a page was."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.test import RequestFactory

from people.access import (
    for_the_same_person,
    for_the_same_person_or_sign_in,
    owned_study_for,
    refuse_unless_staff,
    study_for,
)
from people.models import Study, User


def request_by(user: User | AnonymousUser, **headers: str) -> Any:
    request = RequestFactory().post("/", headers=headers)
    request.user = user
    return request


def answer_view(request: HttpRequest, **kwargs: Any) -> HttpResponse:
    return HttpResponse(f"{request.user} {kwargs}")


def test_a_study_is_its_members_and_an_owned_one_its_owners(
    study: Study, olga: User, ana: User, vic: User, stranger: User
) -> None:
    for member in (olga, ana, vic):
        assert study_for(request_by(member), study.slug) == study
    assert owned_study_for(request_by(olga), study.slug) == study
    for member in (ana, vic):
        with pytest.raises(PermissionDenied, match="Only an owner of Startup times"):
            owned_study_for(request_by(member), study.slug)
    for door in (study_for, owned_study_for):
        for user in (stranger, AnonymousUser()):
            with pytest.raises(Http404):
                door(request_by(user), study.slug)


def test_whoever_runs_the_installation_passes_the_door_of_the_staff(olga: User) -> None:
    with pytest.raises(PermissionDenied):
        refuse_unless_staff(request_by(olga))

    olga.is_staff = True
    refuse_unless_staff(request_by(olga))


@pytest.mark.parametrize("door", [for_the_same_person, for_the_same_person_or_sign_in])
def test_what_a_script_sends_is_for_the_person_of_its_page(door: Any, ana: User) -> None:
    own_request, of_other_person = (
        request_by(ana, **{"X-Plateau-Person": name}) for name in ("ana", "ben")
    )
    signed_out = request_by(AnonymousUser(), **{"X-Plateau-Person": "ana"})

    assert door(answer_view)(own_request, task=3).content == b"ana {'task': 3}"
    for request, reason in ((of_other_person, "other-person"), (signed_out, "signed-out")):
        refusal = door(answer_view)(request, task=3)
        assert (refusal.status_code, json.loads(refusal.content)["reason"]) == (401, reason)


def test_a_name_of_any_letters_is_that_of_its_person(db: None) -> None:
    zofie = User.objects.create_user("žofie k")

    answer = for_the_same_person(answer_view)(
        request_by(zofie, **{"X-Plateau-Person": quote("žofie k")})
    )

    assert answer.status_code == 200


def test_a_form_names_nobody_and_leads_to_the_sign_in(ana: User) -> None:
    assert for_the_same_person(answer_view)(request_by(ana)).status_code == 200
    assert for_the_same_person_or_sign_in(answer_view)(request_by(ana)).status_code == 200

    redirect = for_the_same_person_or_sign_in(answer_view)(request_by(AnonymousUser()))

    assert (redirect.status_code, redirect["Location"].partition("?")[0]) == (302, "/sign-in/")
    assert for_the_same_person(answer_view)(request_by(AnonymousUser())).status_code == 401
