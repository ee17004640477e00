"""What the table of a data set says of answers, and what it keeps from whom."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from annotate.models import Campaign
from people.models import User
from series.models import Series
from tests.analysis.compare.conftest import key_of

DATA = "/s/startup-times/data/nightly/"


@pytest.fixture
def two(
    compared_study: Campaign, make_series: Callable[..., Series], store: Callable[..., None]
) -> Series:
    """A second benchmark whose detections agree, in no campaign."""
    flat = make_series([1.0, 1.1] * 100, name="org.example.Flat.run")
    store(key_of("kb-kssd"), [flat], [3])
    store(key_of("sdm"), [flat], [4])
    return flat


def shown(client: Client, query: str = "") -> str:
    return client.get(DATA + query).content.decode()


def test_ground_truth_and_spread_stand_in_the_table(two: Series, vic: User, client: Client) -> None:
    client.force_login(vic)

    page = shown(client)

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
    ],
)
def test_filters_read_the_answers(
    two: Series, vic: User, client: Client, query: str, sees: list[str]
) -> None:
    client.force_login(vic)

    page = shown(client, query)

    names = [name for name in ("merge", "run") if f"</i>{name}</a>" in page]
    assert sorted(names) == sorted(sees)
    if len(sees) > 1:
        assert page.index("</i>merge</a>") < page.index("</i>run</a>")


def test_blind_rows_say_so_and_filters_leave_them_out(
    two: Series, make_person: Callable[..., User], client: Client
) -> None:
    client.force_login(make_person("cleo", "annotator"))

    page = shown(client)
    filtered = [shown(client, query) for query in ("?truth=steady", "?apart=more", "?sort=spread")]

    assert page.count("hidden until you answer") == 3  # two rows, and the line below
    for word in (">42</td>", "steady from", "yardstick"):
        assert word not in page
    for text in filtered:
        assert "2 left out because you have yet to answer them" in text
        assert "</i>merge</a>" not in text
