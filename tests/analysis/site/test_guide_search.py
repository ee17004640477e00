"""Search in the guide: every word has to be there, and titles come first."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from analysis.site.guide_search import MOST_HITS, search
from analysis.site.views.guide import GUIDE, grouped_topics


def titles(query: str) -> list[str]:
    return [section.title for section, _ in search(query)]


@pytest.mark.parametrize("query", ["", "   ", "?!", "xyzzyplugh", "dbscan xyzzyplugh"])
def test_what_is_nowhere_finds_nothing(query: str) -> None:
    assert search(query) == []


def test_a_page_is_found_by_its_title_first() -> None:
    assert titles("kelly")[0] == "Kelly's test"
    assert titles("KELLY")[0] == "Kelly's test"


def test_every_word_has_to_be_there() -> None:
    section_urls = {section.url for section, _ in search("method slider")}

    assert section_urls
    assert section_urls <= {section.url for section, _ in search("slider")}
    assert len(section_urls) < len(search("method"))


def test_there_is_an_end_to_it() -> None:
    assert len(search("the")) == MOST_HITS


def test_the_excerpt_has_the_word_and_no_marks_of_markdown() -> None:
    for section, excerpt in search("eps"):
        assert re.search(r"\beps", f"{excerpt} {section.heading}", re.IGNORECASE)
        assert not re.search(r"[`*|]", excerpt)


def test_a_hit_leads_to_its_place(client: Client, db: None) -> None:
    section = next(section for section, _ in search("slider") if "#" in section.url)
    address, _, place = section.url.partition("#")

    assert f'id="{place}"' in client.get(address).content.decode()


@pytest.mark.parametrize("query", ["<script>alert(1)</script>", "x" * 5000, "a" + " b" * 3000])
def test_a_query_is_shown_as_text_and_bounded(client: Client, db: None, query: str) -> None:
    response = client.get(reverse("help"), {"q": query})

    assert response.status_code == 200
    assert "<script>alert" not in response.content.decode()
    assert len(response.content) < 100_000


def test_every_page_of_the_guide_is_in_one_of_four_groups() -> None:
    groups = grouped_topics()
    slugs = [topic.slug for topics in groups.values() for topic in topics]

    assert len(groups) == 4
    assert sorted(slugs) == sorted(path.stem for path in GUIDE.glob("*.md"))


def test_the_page_on_annotating_shows_the_examples(client: Client, db: None) -> None:
    has_example = {
        slug: 'aria-label="A slow decay"'
        in client.get(reverse("help-topic", args=[slug])).content.decode()
        for slug in ("annotate", "compare")
    }

    assert has_example == {"annotate": True, "compare": False}
