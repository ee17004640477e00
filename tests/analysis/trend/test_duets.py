"""Two builds that ran side by side are compared pair by pair."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from analysis.trend.two_builds import duets, exports
from analysis.trend.two_builds.query import TwoBuildsQuery
from analysis.trend.two_builds.table import two_builds
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from formats.iterations import TRIALS
from people.models import User
from series.models import Benchmark, Dataset, Recording, Series, SeriesValues
from tests.analysis.trend.conftest import WARM_UP, Nights, store

pytestmark = pytest.mark.django_db


@pytest.fixture
def duet(nights: Nights, dataset: Dataset) -> Dataset:
    """Builds b1 and b2, 2 % slower, in five pairs of forks whose machines differ by far more."""
    benchmark = nights([1.0, 1.02], "org.example.Pair.run")
    Recording.objects.update(duet="tuesday")
    disturbance = np.random.default_rng(4).normal(1, 0.05, (5, 60))
    for build, night in enumerate(Recording.objects.order_by("label")):
        for fork in range(2, 5):
            store(benchmark, night, fork, level=1 + 0.02 * build, seed=100 + 10 * build + fork)
    for row in Series.objects.all():
        values = row.array() * disturbance[row.fork] * (1 + 0.1 * row.fork)
        SeriesValues.objects.filter(pk=row.pk).update(data=values.astype("<f8").tobytes())
    return dataset


def test_pairs_see_what_forks_apart_do_not(duet: Dataset) -> None:
    (paired_row,) = two_builds(duet, EVERYTHING, TwoBuildsQuery()).rows
    (separate_row,) = two_builds(duet, EVERYTHING, TwoBuildsQuery(duets="apart")).rows

    assert paired_row.verdict == "worse"
    assert paired_row.change == pytest.approx(0.02, abs=0.002)
    assert (separate_row.verdict, separate_row.duet) == ("open", None)
    assert paired_row.duet is not None
    difference = paired_row.duet.difference
    assert (difference.forks, difference.pairs) == (5, 5 * (60 - WARM_UP))
    assert difference.saving is not None
    assert difference.saving > 100
    assert paired_row.duet.forks_needed(0.01) == 2
    assert paired_row.duet.saving_words.startswith("pairing saves ")
    dearer = replace(paired_row.duet, difference=replace(difference, saving=0.9))
    assert dearer.saving_words == "pairing saves none: 0.9\xa0×"


def test_only_forks_of_both_sides_are_pairs(duet: Dataset) -> None:
    Series.objects.filter(recording__build="b2", fork__gt=1).delete()
    Recording.objects.filter(build="b2").update(duet="tuesday")
    (row,) = two_builds(duet, EVERYTHING, TwoBuildsQuery()).rows
    assert row.duet is not None
    assert row.duet.difference.forks == 2

    Recording.objects.filter(build="b2").update(duet="wednesday")
    (row,) = two_builds(duet, EVERYTHING, TwoBuildsQuery()).rows
    assert row.duet is None


def test_one_pair_of_forks_has_an_interval_but_no_verdict(duet: Dataset) -> None:
    Series.objects.filter(fork__gt=0).delete()

    (row,) = two_builds(duet, EVERYTHING, TwoBuildsQuery()).rows

    assert row.duet is not None
    assert row.duet.difference.low is not None
    assert (row.low, row.adjusted_p, row.verdict) == (None, None, "one fork")


def test_a_page_leaves_out_duets_of_too_many_series(
    duet: Dataset, client: Client, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete_builds = two_builds(duet, EVERYTHING, TwoBuildsQuery(), limit=10)
    builds = two_builds(duet, EVERYTHING, TwoBuildsQuery(), limit=9)
    monkeypatch.setattr(exports, "MOST_MEANS", 9)
    client.force_login(olga)

    file = client.get(reverse("trend-builds-file", args=[duet.study.slug, duet.slug]))

    assert (builds.rows, builds.unpaired_count, builds.waiting_count) == ((), 1, 0)
    assert "the command has them" in builds.sentence
    assert (complete_builds.duets, complete_builds.unpaired_count) == (1, 0)
    assert file.status_code == 409


def test_pairs_read_in_batches_are_the_same(duet: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    (joint_row,) = two_builds(duet, EVERYTHING, TwoBuildsQuery()).rows
    monkeypatch.setattr(duets, "AT_ONCE", 2)
    (in_batches,) = two_builds(duet, EVERYTHING, TwoBuildsQuery()).rows

    assert in_batches.duet == joint_row.duet


def test_all_trials_of_a_duet_count(duet: Dataset) -> None:
    Benchmark.objects.update(mode=TRIALS)

    (row,) = two_builds(duet, EVERYTHING, TwoBuildsQuery(start="half")).rows

    assert row.duet is not None
    assert (row.duet.difference.pairs, row.duet.warm_up) == (5 * 60, 0)


def test_page_file_and_command_have_them(
    duet: Dataset, client: Client, olga: User, capsys: pytest.CaptureFixture[str]
) -> None:
    client.force_login(olga)
    slugs = [duet.study.slug, duet.slug]

    file = client.get(f"{reverse('trend-builds-file', args=slugs)}?what=duets")
    text = b"".join(file).decode()
    call_command("builds", "/".join(slugs), "--what", "duets")

    assert capsys.readouterr().out == text.replace("\r\n", "\n")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["fork_pairs"], row["forks_needed"]) == ("5", "2")
    assert Benchmark.objects.get().name in text
    page = " ".join(client.get(reverse("trend-builds", args=slugs)).text.split())
    assert "5 pairs of forks" in page


def test_pairs_that_a_reader_has_yet_to_answer_are_left_out(
    duet: Dataset, campaign: Campaign, ana: User
) -> None:
    by_method, by_rule = (
        two_builds(duet, ana, TwoBuildsQuery(start=start)) for start in ("fixed", "half")
    )

    assert (by_method.rows, by_method.duets, by_rule.duets) == ((), 0, 1)
