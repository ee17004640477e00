"""What the table of a data set says of answers, and what it keeps from whom."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.methods.method_style import MethodStyle
from analysis.methods.sparklines import detection_sparkline
from analysis.runs.certainty import default_key
from analysis.runs.models import Detection
from analysis.statistics.answers import NEVER
from analysis.web.templatetags.results import percent_signed
from annotate.models import Campaign
from detectors.contract import Certainty
from detectors.registry import registry
from people.models import User
from series.models import Series
from tests.analysis.comparison.conftest import key_of
from tests.series.test_dataset_page import MOST_BYTES, MOST_QUERIES

RECORDINGS = Path(__file__).parents[3] / "demo" / "recordings"
DATA = "/s/startup-times/data/nightly/"
METHODS, BYTES_OF_AN_ANSWER = 33, 5
"""So many methods' answers are in the budget of a page; each further one is a stroke in a row."""


@pytest.fixture
def flat_series(
    compared_study: Campaign, make_series: Callable[..., Series], store: Callable[..., None]
) -> Series:
    """A second benchmark whose detections agree, in no campaign."""
    flat_series = make_series([1.0, 1.1] * 100, name="org.example.Flat.run")
    store(key_of("kb-kssd"), [flat_series], [3])
    store(key_of("sdm"), [flat_series], [4])
    return flat_series


def data_page(client: Client, query: str = "") -> str:
    return client.get(DATA + query).content.decode()


def test_ground_truth_and_spread_stand_in_the_table(
    flat_series: Series, vic: User, client: Client
) -> None:
    client.force_login(vic)

    page = data_page(client)

    assert ">42</td>" in page
    assert "3 steady from 30 to 50, yardstick 42" in page
    assert "2 steady from 3 to 4" in page


@pytest.mark.parametrize(
    ("query", "sees"),
    [
        ("?truth=steady", ["merge"]),
        ("?truth=none", ["run"]),
        ("?apart=more", ["merge"]),
        ("?apart=split", []),
        ("?sort=spread", ["merge", "run"]),
        ("?sort=change", ["merge", "run"]),
        ("?sort=sure", ["merge", "run"]),
    ],
)
def test_filters_read_the_answers(
    flat_series: Series, vic: User, client: Client, query: str, sees: list[str]
) -> None:
    client.force_login(vic)

    page = data_page(client, query)

    names = [name for name in ("merge", "run") if f"</i>{name}</a>" in page]
    assert sorted(names) == sorted(sees)
    if len(sees) > 1:
        assert page.index("</i>merge</a>") < page.index("</i>run</a>")


def test_the_order_by_change_is_that_of_results_by_hand(
    compared_study: Campaign,
    make_series: Callable[..., Series],
    store: Callable[..., None],
    vic: User,
    client: Client,
) -> None:
    values = np.linspace(2.0, 1.0, 200)
    for slope, answer in (("1", 10), ("2", 90), ("3", 40)):
        series = make_series(values, name=f"org.example.Slope{slope}.run")
        Series.objects.filter(pk=series.pk).update(known_start=0)
        store(key_of("kb-kssd"), [series], [answer])
    client.force_login(vic)

    page = data_page(client, "?sort=change&q=Slope")

    slopes = ["Slope2", "Slope3", "Slope1"]
    assert sorted(slopes, key=page.index) == slopes
    shares = {answer: values[answer:].mean() / values.mean() - 1 for answer in (10, 40, 90)}
    assert all(
        plain_words(f"KB {percent_signed(share)}") in plain_words(page) for share in shares.values()
    )


def test_the_widest_interval_is_first_and_says_so(
    make_series: Callable[..., Series], vic: User, client: Client
) -> None:
    """As a share of the length; series of which nothing is said are last."""
    for name, n, width in (
        ("One", 400, 120),
        ("Two", 200, 80),
        ("None", 200, 0),
        ("Three", 200, 2),
    ):
        series = make_series([1.0, 1.5] * (n // 2), name=f"org.example.{name}.run")
        if width:
            Detection.objects.create(
                series=series,
                detector_key=default_key(),
                slug="plateau",
                steady_start=7,
                **asdict(Certainty(0.5, 5, 5 + width, 0.25)),
            )
    client.force_login(vic)

    page = data_page(client, "?sort=sure")

    order = ["Two", "One", "Three", "None"]
    assert sorted(order, key=lambda name: page.index(f"{name}.</i>run")) == order
    assert "25 % sure: 5 to 85" in plain_words(page).replace("\N{NO-BREAK SPACE}", " ")
    assert "sure: 5" not in plain_words(data_page(client))


def plain_words(page: str) -> str:
    """Its words alone, one space between them."""
    return " ".join(re.sub("<[^>]*>", " ", page).split())


def test_blind_rows_say_so_and_filters_leave_them_out(
    flat_series: Series, make_person: Callable[..., User], client: Client
) -> None:
    client.force_login(make_person("cleo", "annotator"))

    page = data_page(client)
    queries = ("?truth=steady", "?apart=more", "?sort=spread", "?sort=change", "?sort=sure")
    filtered_pages = [data_page(client, query) for query in queries]

    assert page.count("until you have answered") == 2
    assert "2 series of this page" in page
    assert "have not been asked" in page
    for word in (">42</td>", "steady from", "yardstick"):
        assert word not in page
    for text in filtered_pages:
        assert "2 left out because you" in text
        assert "have not been asked" in text
        assert "</i>merge</a>" not in text


def recorded_forks() -> Iterator[list[float]]:
    """The forks that this project measured itself."""
    for path in sorted(RECORDINGS.glob("*.json.gz")):
        for benchmark in json.loads(gzip.decompress(path.read_bytes())):
            yield from benchmark["primaryMetric"]["rawData"]


@pytest.fixture
def crowded_series(make_series: Callable[..., Series]) -> list[Series]:
    """A page and a row more of measured forks, each with an answer of every method and a truth."""
    noise = np.random.default_rng(1)
    forks = islice(recorded_forks(), 51)
    series = [
        make_series(fork, f"org.example.Suite{number}.run") for number, fork in enumerate(forks)
    ]
    for series_row in series:
        series_row.known_start = int(noise.integers(-1, 3000))
        series_row.save()
    keys = [detector().key for detector in registry().values()]
    Detection.objects.bulk_create(
        Detection(
            series=series_row, detector_key=key, slug=key.partition("@")[0], steady_start=answer
        )
        for series_row in series
        for key, answer in zip(keys, noise.integers(0, 3000, len(keys)).tolist(), strict=True)
    )
    return series


def test_fifty_rows_with_every_method_are_cheap(
    crowded_series: list[Series], vic: User, client: Client
) -> None:
    client.force_login(vic)
    data_page(client)  # caches of the process are not what is counted

    for query in ("", "?truth=steady&apart=more&sort=spread"):
        with CaptureQueriesContext(connection) as captured_queries:
            page = data_page(client, query)
        assert page.count(f"{len(registry())} steady from") > 40
        assert len(captured_queries) <= MOST_QUERIES + 1  # and whether the reader was ever asked
        further_methods = len(registry()) - METHODS
        assert len(page.encode()) <= MOST_BYTES + further_methods * 50 * BYTES_OF_AN_ANSWER


def test_a_strip_has_a_line_a_colour_that_turns_beyond_its_edges() -> None:
    rust, pink, teal, grey = (
        MethodStyle("m@1", "m", "m", "1", "M", "M", slot, (), baseline=False)
        for slot in (0, 15, 7, None)
    )

    strip = detection_sparkline(
        159, [(rust, 0), (pink, 158), (pink, 79), (teal, NEVER), (grey, 10)], 20
    )

    assert strip.strokes == ("M5 0V16", "", "", "", "", "M84 0V16h79V0", "", "", "", "", "M15 0V16")
    assert (strip.truth, strip.words) == (25, "4 steady from 0 to 158, 1 never, yardstick 20")
    assert detection_sparkline(159, [(rust, 4)], None).strokes == ("M9 0V16",)
