"""Addresses of pages: what they do not understand is told, and what they link to is understood."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from urllib.parse import urlencode

import pytest
from django.http import HttpRequest
from django.test import Client

from analysis.agreement.query import AgreementQuery
from analysis.comparison.query import ComparisonQuery, WhatIfQuery
from analysis.cost.query import CostQuery
from analysis.review.query import ReviewQuery
from analysis.trend.query import TrendQuery
from annotate.models import Campaign
from people import query_settings
from people.models import User
from people.query_form import QueryField, QueryForm

pytestmark = pytest.mark.slow

STUDY = "/s/startup-times/"
PAGES = (
    f"{STUDY}comparison/",
    f"{STUDY}disagreements/?by=methods&cell=tp&of=sdm",
    f"{STUDY}disagreements/?by=methods",
    f"{STUDY}comparison/what-if/",
    f"{STUDY}what-to-do/",
    f"{STUDY}disagreements/",
    f"{STUDY}data/nightly/",
    f"{STUDY}data/nightly/trend/",
    f"{STUDY}campaigns/first-look/?tab=truth",
    f"{STUDY}campaigns/first-look/?tab=agreement",
    f"{STUDY}runs/",
    f"{STUDY}runs/?kind=sensitivity",
    "/methods/",
)
NOTICE = "The address says"
LINK_PATTERN = re.compile(r'href="([^"#]*\?[^"#]+)"')


@pytest.fixture
def reader(client: Client, compared_study: Campaign, olga: User) -> Client:
    client.force_login(olga)
    return client


def page_text(reader: Client, address: str) -> str:
    answer = reader.get(address, follow=True)
    assert answer.status_code == 200, address
    return unescape(answer.content.decode())


@pytest.mark.parametrize("page", PAGES)
def test_a_setting_that_a_page_does_not_have_is_told_once(reader: Client, page: str) -> None:
    address = f"{page}{'&' if '?' in page else '?'}colour=blue"

    assert page_text(reader, address).count(f"{NOTICE} “colour=blue”.") == 1


@pytest.mark.parametrize(
    ("address", "hint"),
    [
        ("comparison/?yardstick=nope", "in an address, yardstick is written y="),
        ("comparison/?method=nope", "in an address, method is written m="),
        ("comparison/?tol=-5", "This page shows 5 % of each series instead."),
        ("comparison/?sort=nope", "but sort takes a column of its CSV"),
        ("what-to-do/?t=3", "This page shows ±1 % instead."),
        ("what-to-do/?start=-3", "This page shows 1 second instead."),
        ("disagreements/?tol=x&order=size", "This page shows result may change instead."),
        ("comparison/what-if/?recipe=mine", "This page shows the campaign’s own recipe instead."),
        (
            "campaigns/first-look/?tab=agreement&tol=x",
            "This page shows 5 % of each series instead.",
        ),
        (
            "campaigns/first-look/?tab=truth&sort=size",
            "This page shows series by position instead.",
        ),
        ("data/nightly/?min=many", "This page shows series of every length instead."),
        ("data/nightly/?recording=none", "This page shows the newest of each benchmark instead."),
    ],
)
def test_a_value_that_a_page_does_not_take_is_told(reader: Client, address: str, hint: str) -> None:
    assert hint in page_text(reader, f"{STUDY}{address}")


@pytest.mark.parametrize(
    ("page", "forms"),
    [
        ("comparison/", (ComparisonQuery,)),
        ("comparison/what-if/", (ComparisonQuery, WhatIfQuery)),
        ("comparison/cost/", (ComparisonQuery, CostQuery)),
        ("disagreements/", (ReviewQuery,)),
        ("campaigns/first-look/?tab=agreement", (AgreementQuery,)),
        ("data/nightly/trend/", (TrendQuery,)),
    ],
)
def test_a_page_takes_every_setting_of_its_forms(
    reader: Client, page: str, forms: tuple[type[QueryForm], ...]
) -> None:
    other_values = {
        query_field.key: other_than_default(query_field)
        for form in forms
        for query_field in declared_fields(form)
    }

    assert NOTICE not in page_text(
        reader, f"{STUDY}{page}{'&' if '?' in page else '?'}{urlencode(other_values)}"
    )


def declared_fields(form: type[QueryForm]) -> Iterable[QueryField]:
    return form.declared().values()


def other_than_default(query_field: QueryField) -> str:
    """A text that the setting understands; none for names of what may not be there."""
    words = [word for word, value in query_field.words.items() if value != query_field.default]
    return (
        next(filter(query_field.setting.fits, (*words, "7", "title", "2026-03-14")))
        if query_field.setting.expected
        else ""
    )


class AddressRead(Exception):  # no error: the page has looked at its address
    """Raised where a page warns of unused parameters, which takes a tenth of the page's time."""


def test_pages_understand_where_they_link_to(
    reader: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each setting of each page once, whichever page links to it; not each combination."""
    texts = {page: page_text(reader, page) for page in PAGES}
    paths = {page.partition("?")[0] for page in PAGES}
    shown_settings: set[tuple[str, str]] = set()
    monkeypatch.setattr(query_settings, "warn_unused_parameters", raise_unused_parameters)
    for page, text in texts.items():
        assert NOTICE not in text, page
        for link in sorted({unescape(link) for link in LINK_PATTERN.findall(text)}):
            address = f"{page.partition('?')[0]}{link}" if link.startswith("?") else link
            path, _, query = address.partition("?")
            settings = {(path, setting) for setting in query.split("&")}
            if path in paths and not settings <= shown_settings:
                with pytest.raises(AddressRead) as error_info:
                    reader.get(address, follow=True)
                assert error_info.value.args == (), (page, address)
                shown_settings |= settings
    assert len(shown_settings) > 50, len(shown_settings)


def raise_unused_parameters(request: HttpRequest, *known_settings: query_settings.Settings) -> None:
    settings = {
        name: setting
        for group in (query_settings.PAGE, *known_settings)
        for name, setting in group.items()
    }
    raise AddressRead(*query_settings.unused_parameters(request.GET, settings))
