"""Invocations of an iteration: page, files and command from the pairs that the file had."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from analysis.series_page import invocations
from annotate.models import Campaign
from people.models import User
from series.models import Samples, Series
from series.values.raw_pairs import pair_count, read_pairs

pytestmark = pytest.mark.django_db


@pytest.fixture
def sampled(compared_study: Campaign, four_series: list[Series]) -> Series:
    """A series whose iteration i has i % 3 + 1 pairs: values i + 1, i + 2, …, counts 1, 2, …"""
    series = four_series[1]
    sizes = np.arange(series.n) % 3 + 1
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    values = np.concatenate([np.arange(size) + i + 1.0 for i, size in enumerate(sizes)])
    counts = np.concatenate([np.arange(size) + 1 for size in sizes])
    Samples.objects.create(
        series=series,
        offsets=offsets.astype("<i8").tobytes(),
        values=values.astype("<f8").tobytes(),
        counts=counts.astype("<i8").tobytes(),
    )
    return series


def test_pairs_of_an_iteration_are_read_alone(sampled: Series) -> None:
    pairs = read_pairs(sampled, 4, 6)

    assert pairs is not None
    assert pairs.values.tolist() == [5.0, 6.0, 6.0, 7.0, 8.0]
    assert (pairs.counts.tolist(), pairs.offsets.tolist()) == ([1, 2, 1, 2, 3], [0, 2, 5])


def test_page_file_and_command_say_the_same(
    sampled: Series,
    client: Client,
    vic: User,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(invocations, "AT_ONCE", 7)  # which does not divide the iterations
    client.force_login(vic)
    study = sampled.benchmark.dataset.study.slug
    names = [study, sampled.public_id]

    part = client.get(
        f"{reverse('series-invocations', args=names)}?at=5", headers={"hx-request": "true"}
    ).text
    file = b"".join(client.get(reverse("series-invocations-file", args=names))).decode()
    call_command("invocations", sampled.public_id)

    assert capsys.readouterr().out == file.replace("\r\n", "\n")
    rows = list(csv.DictReader(io.StringIO(file)))
    assert len(rows) == sampled.n
    six = [6.0, 7.0, 7.0, 8.0, 8.0, 8.0]
    assert float(rows[5]["p90"]) == np.percentile(six, 90, method="weibull")
    assert (rows[5]["invocations"], float(rows[5]["mean"])) == ("6", pytest.approx(np.mean(six)))
    assert "has 6" in part
    pairs = client.get(f"{reverse('series-invocations-file', args=names)}?what=invocations&at=5")
    assert b"".join(pairs).decode().split() == [
        *("iteration,value,count", "5,6.0,1", "5,7.0,2", "5,8.0,3")
    ]
    assert reverse("series-invocations", args=names) in client.get(sampled.get_absolute_url()).text
    drawn = "what=histogram&amp;format=pdf&amp;at=5"
    assert drawn in part
    address = f"{reverse('series-invocations-file', args=names)}?{drawn.replace('&amp;', '&')}"
    assert client.get(address).content.startswith(b"%PDF")


def test_pairs_beyond_the_bound_are_not_sorted_together(
    sampled: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = pair_count(sampled)
    stored_samples = Samples.objects.get(series=sampled)
    assert count == len(stored_samples.values) // 8

    monkeypatch.setattr(invocations, "MOST_TOGETHER", count)
    inner_table = invocations.iteration_invocations(sampled, 0)
    monkeypatch.setattr(invocations, "MOST_TOGETHER", count - 1)
    outer_table = invocations.iteration_invocations(sampled, 0)

    assert inner_table is not None
    assert inner_table.series_summary is not None
    assert outer_table is not None
    assert outer_table.series_summary is None


def test_a_series_without_any_says_so(four_series: list[Series], client: Client, vic: User) -> None:
    client.force_login(vic)
    names = [four_series[0].benchmark.dataset.study.slug, four_series[0].public_id]

    page = client.get(four_series[0].get_absolute_url()).text
    assert reverse("series-invocations", args=names) not in page
    part = client.get(reverse("series-invocations", args=names), headers={"hx-request": "true"})
    assert "one value an iteration" in part.text
    file = client.get(reverse("series-invocations-file", args=names))
    assert len(b"".join(file).splitlines()) == 1
    with pytest.raises(CommandError, match="no invocations"):
        call_command("invocations", four_series[0].public_id)
