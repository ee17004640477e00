"""The catalogue of methods: families, filters, what is stored, ways to use a method."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from analysis.methods import symbols
from analysis.methods.catalogue import StoredResults, catalogue, stored_results
from analysis.methods.method_style import style_of
from analysis.runs.models import Detection
from annotate.models import Task
from detectors.registry import DEFAULT_METHOD, registry
from people.models import User
from series.models import Series


def detect(series: Series, *, milliseconds: float, key: str = "") -> None:
    key = key or registry()["sdm"]().key
    slug = key.partition("@")[0]
    Detection.objects.create(
        series=series, detector_key=key, slug=slug, steady_start=1, milliseconds=milliseconds
    )


def test_every_method_stands_in_its_family_once(stranger: User) -> None:
    families = catalogue(stranger)

    slugs = [entry.detector.slug for entries in families.values() for entry in entries]
    assert sorted(slugs) == list(registry())
    assert list(families) == sorted({method.family for method in registry().values()})


@pytest.mark.parametrize(
    ("query", "kept_slug", "dropped_slug"),
    [
        ("?online=1", "sdm", "cp-ssd"),
        ("?needs=more", "developer", "sdm"),
        ("?needs=values", "sdm", "developer"),
        ("?family=Baselines", "fixed", "sdm"),
    ],
)
def test_a_filter_keeps_what_fits(
    client: Client, db: None, query: str, kept_slug: str, dropped_slug: str
) -> None:
    page = client.get(reverse("methods") + query).content.decode()

    assert reverse("method", args=[kept_slug]) in page
    assert reverse("method", args=[dropped_slug]) not in page


def test_the_median_is_that_of_stored_results_on_about_3000_values(
    vic: User, make_series: Callable[..., Series]
) -> None:
    for fork, milliseconds in enumerate((5.0, 1.0, 9.0)):
        detect(make_series(np.arange(3000) + fork, fork=fork), milliseconds=milliseconds)
    detect(make_series(np.arange(100), fork=3), milliseconds=1000.0)

    assert stored_results(vic)["sdm"] == StoredResults(n_series=4, milliseconds=5.0, n_timed=3)


def test_other_parameters_count_as_results_and_not_as_times(
    vic: User, make_series: Callable[..., Series]
) -> None:
    series = make_series(np.arange(3000))
    detect(series, milliseconds=5.0)
    detect(series, milliseconds=70.0, key="sdm@1?slope_crit=9")

    assert stored_results(vic)["sdm"] == StoredResults(n_series=1, milliseconds=5.0, n_timed=1)


def test_whoever_may_not_see_a_detection_counts_none(
    task: Task, ana: User, stranger: User, vic: User
) -> None:
    detect(task.series, milliseconds=1.0)

    assert stored_results(vic)["sdm"].n_series == 1
    assert "sdm" not in stored_results(ana)  # who has yet to answer that series
    assert "sdm" not in stored_results(stranger)


def test_ways_to_use_a_method_are_for_who_may(client: Client, vic: User) -> None:
    address = reverse("method", args=["sdm"])
    public_page = client.get(address).content.decode()
    client.force_login(vic)
    member_page = client.get(address).content.decode()

    links = ('id="try"', reverse("comparison", args=["startup-times"]))
    assert [link in public_page for link in links] == [True, False]
    assert [link in member_page for link in links] == [True, True]


def test_the_year_is_that_of_the_citation(stranger: User) -> None:
    years = {e.detector.slug: e.year for entries in catalogue(stranger).values() for e in entries}

    assert (years["kb-kssd"], years["mser"]) == ("2025", "1997")


@pytest.mark.parametrize("slug", ["rocket", "sdm"])
def test_a_drawing_has_the_colour_of_the_method_s_symbol(
    client: Client, db: None, slug: str
) -> None:
    page = client.get(reverse("method-text", args=[slug])).content.decode()
    symbol = style_of(slug).symbol

    assert f'<span class="symbol {symbol}"' in page
    assert set(re.findall(r'<svg data-picture [^>]*class="([^"]*)"', page)) == {symbol}


def test_every_symbol_has_a_shape() -> None:
    styles = (settings.BASE_DIR / "static/css/method-colours.css").read_text(encoding="utf-8")
    shapes = set(re.findall(r"\.((?:slot|shape)-\d+)(?=[^{}]*\{ --slot-symbol)", styles))

    assert {symbol for slug in registry() for symbol in style_of(slug).symbol.split()} <= shapes


def test_no_two_methods_share_colour_and_shape() -> None:
    """More methods than twenty: each further round of the colours takes other shapes."""
    looks = [(slot % 10, symbols.shape(slot), symbols.is_open(slot)) for slot in range(60)]

    assert len(set(looks)) == 60
    assert len({style_of(slug).symbol for slug in registry()}) == len(registry())
    # As in js/chart/symbols.js, whose test has the same ones.
    assert [symbols.classes(slot) for slot in (7, 19, 20, 27, 35)] == [
        "slot-7",
        "slot-19",
        "slot-0 shape-3",
        "slot-7 shape-0",
        "slot-15 shape-18",
    ]


def test_texts_of_the_catalogue_have_no_marks_of_code(client: Client, db: None) -> None:
    addresses = [
        reverse("methods"),
        *(reverse("method-text", args=[slug]) for slug in ("oscnn", "barrett")),
    ]

    assert ["`" in client.get(address).content.decode() for address in addresses] == [False] * 3


def test_the_default_method_is_named_before_the_list_and_on_its_own_page(
    client: Client, db: None
) -> None:
    page = " ".join(client.get(reverse("methods")).content.decode().split())
    head = page.partition("<table")[0]
    own_page, other_page = (
        client.get(reverse("method", args=[slug])).content.decode()
        for slug in (DEFAULT_METHOD, "kb-kssd")
    )

    assert "</a> is the default wherever a whole series is read" in head
    assert reverse("help-topic", args=["which-method"]) in head
    assert page.count("<strong>default</strong>") == 1
    assert "· the default" in own_page
    assert "· the default" not in other_page
