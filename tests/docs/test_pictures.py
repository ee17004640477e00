"""The pictures of the methods' pages: one each, of today, small, and as the method answers."""

from __future__ import annotations

import xml.etree.ElementTree as ET  # reads what this project has drawn
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from detectors.registry import registry
from docs import pictures

SLUGS = [each.slug for each in pictures.pictured_methods()]
QUICK = ["fixed", "sdm", "mser", "jumpavg"]


def test_every_page_has_a_picture_of_today() -> None:
    assert [
        pictured_method.slug
        for pictured_method in pictures.pictured_methods()
        if not pictures.is_current(pictured_method)
    ] == []


@pytest.mark.parametrize("slug", SLUGS)
def test_a_picture_is_small_and_shows_the_mark_and_the_series(slug: str) -> None:
    text = pictures.picture_path(slug).read_text("utf-8")
    drawing = ET.fromstring(text)  # noqa: S314  # our own file
    classes = [element.get("class") for element in drawing.iter()]

    assert len(text.encode()) <= 15_000
    assert " style=" not in text
    assert "pic-series" in classes
    assert "pic-mark" in classes or " never</text>" in text


@pytest.mark.parametrize("slug", QUICK)
def test_drawing_again_gives_the_same(slug: str) -> None:
    drawing = pictures.picture_svg(pictures.scene_of(registry()[slug]()))

    assert drawing == pictures.picture_path(slug).read_text("utf-8")


def test_a_page_keeps_its_words_when_its_picture_is_renewed() -> None:
    page = f"# T\n\nWords.\n\n{pictures.BEFORE} x -->\nTable.\n"

    first_page = pictures.put_picture(page, "fixed", "first")
    second_page = pictures.put_picture(first_page, "fixed", "second &quot;[a]&quot;")

    assert first_page.replace("first", "second &quot;(a)&quot;") == second_page
    assert second_page.startswith("# T\n\nWords.\n\n")
    assert second_page.endswith("Table.\n")


@pytest.mark.parametrize("slug", ["kb-kssd", "mser"])
def test_the_site_shows_it_in_its_own_colours(client: Client, db: None, slug: str) -> None:
    page = client.get(reverse("method-text", args=[slug])).content.decode()

    assert "<svg data-picture" in page
    assert "<style>" not in page
    assert f"pictures/{slug}.svg" not in page


def test_no_other_picture_is_served_from_the_documents() -> None:
    assert not list(Path(settings.BASE_DIR, "docs", "detectors").glob("*.svg"))
