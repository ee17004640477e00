"""Addresses from before a page was renamed, in links that people kept."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.test import Client, RequestFactory
from django.urls import resolve

from analysis.web.old_addresses import MergedPage

KEPT = {
    "/playground/?kind=decay": "/methods/plateau/?kind=decay#try",
    "/s/lab/campaigns/one/results/?sort=change": "/s/lab/campaigns/one/?sort=change&tab=truth",
    "/s/lab/campaigns/one/agreement/?tol=5": "/s/lab/campaigns/one/?tol=5&tab=agreement",
    "/s/lab/campaigns/marks/": "/s/lab/campaigns/new/?marks=yes",
    "/s/lab/campaigns/one/settings/people/": "/s/lab/campaigns/one/edit/#people",
    "/s/lab/export/?what=marks": "/s/lab/comparison/?what=marks#download",
    "/s/lab/export/file/": "/s/lab/comparison/#download",
    "/s/lab/export/about/": "/s/lab/comparison/#download",
    "/s/lab/compare/?y=known&tol=5": "/s/lab/comparison/?y=known&tol=5",
    "/s/lab/compare/tests/?of=caf%C3%A9": "/s/lab/comparison/tests/?of=caf%C3%A9",
    "/s/lab/campaigns/first/agreement/series/?of=split": (
        "/s/lab/disagreements/?of=split&y=campaign%3Afirst"
    ),
    "/s/lab/campaigns/first/least-sure/": (
        "/s/lab/disagreements/?y=campaign%3Afirst&order=least-sure"
    ),
    "/s/lab/review/?why=split": "/s/lab/disagreements/?why=split",
    "/s/lab/review/abc/": "/s/lab/disagreements/abc/",
    "/s/lab/review/abc/decisions/?y=known": "/s/lab/disagreements/abc/decisions/?y=known",
    "/s/lab/comparison/series/?cell=tp&of=sdm&by=sdm": (
        "/s/lab/disagreements/?cell=tp&of=sdm&by=sdm&by=methods"
    ),
    "/s/lab/comparison/queue/": "/s/lab/disagreements/?by=methods",
    "/s/lab/compare/what-if.csv": "/s/lab/comparison/what-if.csv",
    "/s/lab/compare/cost/file/": "/s/lab/comparison/cost/file/",
    "/s/lab/explorations/abc/file/": "/s/lab/runs/sensitivity/abc/file/",
    "/s/lab/tuning/abc/": "/s/lab/runs/sensitivity/abc/",
    "/s/lab/training/new/": "/s/lab/runs/training/new/",
    "/s/lab/imported-methods/abc/removal/": "/s/lab/runs/imported/abc/removal/",
    "/s/lab/tuning/?page=2": "/s/lab/runs/?page=2&kind=sensitivity",
    "/s/lab/training/": "/s/lab/runs/?kind=training",
    "/s/lab/runs/imported/": "/s/lab/runs/?kind=imported",
    "/s/lab/imported-methods/": "/s/lab/runs/?kind=imported",
    "/s/lab/own/abc/": "/s/lab/runs/imported/abc/",
    "/s/lab/data/nightly/b/abc/plan/?t=2": "/s/lab/what-to-do/?t=2&b=abc",
    "/s/lab/data/nightly/harness/?y=known": "/s/lab/what-to-do/?s=known&data=nightly#others",
    "/s/lab/comparison/cost/?d=nightly": "/s/lab/what-to-do/?data=nightly#others",
    "/s/lab/comparison/cost/benchmarks/": "/s/lab/what-to-do/#others",
    "/s/lab/comparison/cost/tables/": "/s/lab/what-to-do/#others",
    "/s/lab/series/abc/manual-aids/?from=7": "/s/lab/series/abc/diagnostics/?from=7",
}


@pytest.mark.parametrize(("before", "now"), KEPT.items())
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_old_address_leads_to_the_new_one_for_good(
    client: Client, method: str, before: str, now: str
) -> None:
    answer = getattr(client, method)(before)

    assert (answer.status_code, answer.headers["Location"]) == (308, now)
    page = resolve(urlsplit(now).path)  # there is such a page, and it is not moved again
    assert page.func.__module__ != "analysis.web.old_addresses"


def test_a_study_called_as_a_page_was_keeps_its_name(client: Client) -> None:
    assert client.get("/s/own/own/a/").headers["Location"] == "/s/own/runs/imported/a/"


def test_a_merged_page_keeps_its_query_and_names_the_part_of_the_new_one() -> None:
    page = MergedPage(
        "s/<slug:study>/old/<slug:data>/", "/s/{study}/new/", (("data", "{data}"),), "parts"
    )
    request = RequestFactory().post("/s/lab/old/nightly/?y=known&m=a&m=b")

    answer = page.pattern().callback(request, study="lab", data="nightly")

    assert answer.status_code == 308
    assert answer["Location"] == "/s/lab/new/?y=known&m=a&m=b&data=nightly#parts"
