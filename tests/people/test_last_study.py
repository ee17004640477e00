"""Pages of no study keep the navigation of the study that was looked at last."""

from __future__ import annotations

from http.cookies import SimpleCookie

import pytest
from django.test import Client
from django.urls import reverse

from people.last_study import COOKIE
from people.models import Study, User

PAGES = ["methods", "help"]


def has_study_navigation(client: Client, page: str) -> bool:
    return 'aria-label="Study"' in client.get(reverse(page)).content.decode()


@pytest.mark.parametrize("page", PAGES)
def test_the_navigation_of_the_last_study_stays(
    client: Client, vic: User, study: Study, page: str
) -> None:
    client.force_login(vic)
    had_navigation = has_study_navigation(client, page)

    client.get(study.get_absolute_url())

    assert (had_navigation, has_study_navigation(client, page)) == (False, True)


def test_home_is_of_no_study(client: Client, vic: User, study: Study) -> None:
    client.force_login(vic)
    client.get(study.get_absolute_url())

    assert not has_study_navigation(client, "home")


@pytest.mark.parametrize("page", PAGES)
def test_a_cookie_shows_no_study_to_somebody_who_is_no_member(
    client: Client, stranger: User, study: Study, page: str
) -> None:
    client.cookies = SimpleCookie({COOKIE: study.slug})
    asked_by_nobody = client.get(reverse(page)).content.decode()
    client.force_login(stranger)
    asked_by_a_stranger = client.get(reverse(page)).content.decode()

    assert study.name not in asked_by_nobody
    assert study.name not in asked_by_a_stranger


def test_a_page_that_was_refused_is_not_remembered(
    client: Client, stranger: User, study: Study
) -> None:
    client.force_login(stranger)

    client.get(study.get_absolute_url())

    assert COOKIE not in client.cookies
