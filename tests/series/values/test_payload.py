"""Values for the browser: their bytes, who gets them, and how long they may be kept."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from people.models import User
from series.models import Series


def payload_address(digest: str, **query: object) -> str:
    name = "payload-window" if query else "payload"
    query_text = "&".join(f"{key.rstrip('_')}={value}" for key, value in query.items())
    return reverse(name, kwargs={"digest": digest}) + (f"?{query_text}" if query_text else "")


@pytest.fixture
def signed_in(client: Client, ana: User) -> Client:
    client.force_login(ana)
    return client


def test_values_are_float32_divided_by_the_scale(signed_in: Client, series: Series) -> None:
    Series.objects.update(scale=2.0)

    answer = signed_in.get(payload_address(series.digest))

    expected = (series.array() / 2.0).astype("<f4").tobytes()
    assert answer.content == expected
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_they_may_be_kept_for_ever(signed_in: Client, series: Series) -> None:
    answer = signed_in.get(payload_address(series.digest))
    again = signed_in.get(
        payload_address(series.digest), headers={"if-none-match": answer.headers["ETag"]}
    )

    assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert answer.headers["ETag"] == f'"{series.digest}"'
    assert (again.status_code, again.content) == (304, b"")


def test_they_come_packed_to_who_unpacks(signed_in: Client, series: Series) -> None:
    plain_response = signed_in.get(payload_address(series.digest))
    packed_response = signed_in.get(
        payload_address(series.digest), headers={"accept-encoding": "gzip, br"}
    )

    assert packed_response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed_response.content) == plain_response.content
    assert "Content-Encoding" not in plain_response.headers
    assert "Accept-Encoding" in packed_response.headers["Vary"]


@pytest.mark.parametrize("person", ["vic", "ana", "olga"])
def test_every_member_gets_them(client: Client, series: Series, person: str, request: Any) -> None:
    client.force_login(request.getfixturevalue(person))

    assert client.get(payload_address(series.digest)).status_code == 200
    assert client.get(payload_address(series.digest, from_=0, to=9, buckets=3)).status_code == 200


def test_nobody_else_learns_whether_they_exist(
    client: Client, series: Series, stranger: User
) -> None:
    for _ in range(2):  # signed out, then signed in
        answers = (
            client.get(payload_address(series.digest)),
            client.get(payload_address(series.digest, from_=0, to=9)),
        )
        missing_answers = (
            client.get(payload_address("0" * 64)),
            client.get(payload_address("0" * 64, from_=0, to=9)),
        )

        for a, b in zip(answers, missing_answers, strict=True):
            assert (a.status_code, b.status_code) == (404, 404)
        client.force_login(stranger)


def test_a_kept_copy_does_not_open_the_door(client: Client, series: Series, stranger: User) -> None:
    client.force_login(stranger)

    answer = client.get(
        payload_address(series.digest), headers={"if-none-match": f'"{series.digest}"'}
    )

    assert answer.status_code == 404


def figures_in(content: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Seven rows of values (five quantiles, least, greatest), two rows of places."""
    cut = len(content) * 7 // 9
    return (
        np.frombuffer(content[:cut], "<f4").reshape(7, -1),
        np.frombuffer(content[cut:], "<u4").reshape(2, -1),
    )


def test_a_window_has_the_figures_of_its_buckets(
    signed_in: Client, make_series: Callable[..., Series]
) -> None:
    series = make_series([5, 1, 9, 4, 4, 4, 7, 2, 8, 3])
    Series.objects.update(scale=2.0)

    answer = signed_in.get(payload_address(series.digest, from_=0, to=10, buckets=3))

    drawn_values, places = figures_in(answer.content)
    assert (2 * drawn_values[2]).tolist() == [5, 4, 3]
    assert (2 * drawn_values[5:]).tolist() == [[1, 4, 2], [9, 4, 8]]
    assert places.tolist() == [[1, 3, 7], [2, 3, 8]]


def test_the_range_of_a_window_comes_from_its_values(
    signed_in: Client, make_series: Callable[..., Series]
) -> None:
    values = np.tile([4.0, 8.0], 100)
    values[150] = 1e6
    series = make_series(values)
    Series.objects.update(scale=2.0, robust_low=-6.0, robust_high=20.0)

    narrow_answer = signed_in.get(payload_address(series.digest, from_=100, to=200))
    wide_answer = signed_in.get(payload_address(series.digest, from_=0, to=200))

    assert np.frombuffer(narrow_answer.content, "<f4") == pytest.approx([1.35, 4.65, 2, 4])
    assert np.frombuffer(wide_answer.content, "<f4").tolist() == [-3, 10, 2, 4]  # as it is stored


def test_a_small_window_has_the_values_themselves(
    signed_in: Client, make_series: Callable[..., Series]
) -> None:
    series = make_series([5, 1, 9, 4, 4, 4, 7, 2, 8, 3])

    answer = signed_in.get(payload_address(series.digest, from_=2, to=5, buckets=0))

    assert np.frombuffer(answer.content, "<f4").tolist() == [9, 4, 4]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"from_": -1, "to": 9, "buckets": 3}, "from"),
        ({"from_": 0, "to": 9, "buckets": 5000}, "buckets"),
        ({"from_": 0, "to": "x", "buckets": 3}, "to"),
        ({"from_": 9, "to": 9, "buckets": 3}, "__all__"),
        ({"from_": 0, "to": 121, "buckets": 3}, "__all__"),
        ({"to": 9}, "from"),
        ({"from_": 3, "to": 3}, "__all__"),
    ],
)
def test_a_window_that_is_none_is_refused(
    signed_in: Client, series: Series, query: dict[str, object], field: str
) -> None:
    answer = signed_in.get(payload_address(series.digest, **query))

    assert answer.status_code == 400
    assert field in answer.json()["errors"]


def test_a_million_values_are_asked_for_in_windows(
    signed_in: Client, make_series: Callable[..., Series]
) -> None:
    values = np.ones(300_000)
    values[123_456] = 50.0
    series = make_series(values)

    answer = signed_in.get(payload_address(series.digest, from_=0, to=300_000, buckets=1000))
    too_many = signed_in.get(payload_address(series.digest, from_=0, to=300_000, buckets=0))

    drawn_values, places = figures_in(answer.content)
    assert drawn_values.shape == (7, 1000)
    assert places[1][drawn_values[6] == 50.0].tolist() == [123_456]
    assert (drawn_values[:6] == 1.0).all()
    assert too_many.status_code == 400
