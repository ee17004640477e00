"""What methods knew of the series: said everywhere, and no rank for who had seen the answers."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult, compare_stored, rank_pairs
from analysis.comparison.what_if import WhatIfQuery as Scenarios, what_if
from analysis.cost.query import CostQuery
from analysis.cost.sentences import cost_sentences, training_sentences
from analysis.cost.table import comparison_costs
from analysis.runs.models import Detection, Preset
from analysis.tuning.models import Exploration
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from series.models import Series
from tests.analysis.comparison.conftest import key_of

COMPARE = "/s/startup-times/comparison/"
TUNED = key_of("kb-kssd", medfilt=5)
HELD_OUT = (
    "4 of these series are of systems or benchmarks that it was trained on. Each is answered by "
    "the model that has not seen its own."
)


@pytest.fixture
def learned_campaign(
    compared_study: Campaign, four_series: list[Series], store: Callable[..., None]
) -> Campaign:
    """Plateau, the nearest of all, answered by models that have not seen the systems."""
    store(key_of("plateau"), four_series, [42, 62, -1, 102])
    Detection.objects.filter(slug="plateau").update(flags="snapped unseen")
    return compared_study


@pytest.fixture
def tuned_campaign(
    compared_study: Campaign, four_series: list[Series], store: Callable[..., None]
) -> Campaign:
    """KB-KSSD with parameters that were chosen on the first three of the four series."""
    store(TUNED, four_series, [42, 62, -1, 102])
    study = compared_study.study
    exploration = Exploration.objects.create(
        study=study,
        name="Grid",
        kind="grid",
        method="kb-kssd@1",
        yardstick="campaign:first-look",
        yardstick_title="First look",
        series_ids=[series_row.pk for series_row in four_series[:3]],
        truth=b"",
        truth_digest="",
        series_count=3,
        design=b"",
        wanted=1,
    )
    Preset.objects.create(
        study=study, name="Median of 5", detector_key=TUNED, exploration=exploration
    )
    return compared_study


def comparison_of(campaign: Campaign) -> ComparisonResult:
    comparison = compare_stored(campaign.study, EVERYTHING, ComparisonQuery())
    assert comparison is not None
    return comparison


def test_who_is_answered_by_blind_models_is_ranked_and_says_so(
    learned_campaign: Campaign, as_vic: Client
) -> None:
    entry = comparison_of(learned_campaign).entry("plateau")
    page = as_vic.get(COMPARE).content.decode()

    assert entry.rank == 1
    assert (entry.cells()["held_out"], entry.cells()["in_sample"]) == (4, 0)
    assert HELD_OUT in page
    assert "trained on 4 of these" not in page


def test_who_has_seen_the_series_has_figures_and_no_rank(
    learned_campaign: Campaign, as_vic: Client
) -> None:
    Detection.objects.filter(slug="plateau").update(flags="seen")
    comparison = comparison_of(learned_campaign)
    page = as_vic.get(COMPARE).content.decode()

    entry = comparison.entry("plateau")
    assert (entry.rank, entry.figures["median_abs"]) == (None, 0.0)
    assert entry.cells()["in_sample"] == 4
    assert (
        min(leaderboard_row.rank for leaderboard_row in comparison.entries if leaderboard_row.rank)
        == 1
    )
    assert "plateau" not in comparison.inputs.ranked
    assert "trained on 4 of these" in page
    assert "a model that has seen 4" in page


def test_parameters_chosen_on_the_series_have_no_rank_in_any_scenario(
    tuned_campaign: Campaign, as_vic: Client
) -> None:
    comparison = comparison_of(tuned_campaign)
    page = as_vic.get(COMPARE).content.decode()

    assert comparison.entry(TUNED).rank is None
    assert comparison.entry("kb-kssd").rank is not None
    assert comparison.entry(TUNED).cells()["in_sample"] == 3
    assert "tuned on 3 of these" in page
    assert "of 5”, were chosen on 3" in page
    scenarios = what_if(comparison, Scenarios())
    assert scenarios is not None
    assert "kb-kssd" in scenarios.ranking.names
    assert TUNED not in scenarios.ranking.names


def test_without_the_preset_nothing_is_claimed(tuned_campaign: Campaign) -> None:
    Preset.objects.all().delete()

    assert comparison_of(tuned_campaign).entry(TUNED).rank == 1


def test_what_was_known_is_part_of_what_figures_rest_on(tuned_campaign: Campaign) -> None:
    digest_before = comparison_of(tuned_campaign).inputs.digest
    test = rank_pairs(comparison_of(tuned_campaign).inputs, 0.05)
    Preset.objects.all().delete()
    inputs_after = comparison_of(tuned_campaign).inputs

    assert inputs_after.digest != digest_before
    assert TUNED in inputs_after.ranked
    assert test is not rank_pairs(inputs_after, 0.05)


def test_command_file_and_report_say_it_too(
    learned_campaign: Campaign, as_vic: Client, tmp_path: Path
) -> None:
    output, report_path = io.StringIO(), tmp_path / "report.zip"
    call_command("comparison", "startup-times/first-look", stdout=output)
    response = as_vic.get(f"{COMPARE}export/")
    csv_bytes = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    rows = csv.DictReader(io.StringIO(csv_bytes.decode()))
    plateau_row = next(row for row in rows if row["method"] == "plateau")
    call_command("report", "startup-times/first-look", str(report_path), stdout=io.StringIO())

    assert f"plateau: {HELD_OUT}" in output.getvalue()
    assert (plateau_row["held_out"], plateau_row["in_sample"]) == ("4", "0")
    with zipfile.ZipFile(report_path) as archive:
        about_document = json.loads(archive.read("about.json"))
        document = archive.read("report.html").decode()
    assert about_document["knew"] == {key_of("plateau"): HELD_OUT}
    assert HELD_OUT in document


def test_costs_give_no_first_place_to_who_had_seen_the_series(learned_campaign: Campaign) -> None:
    def sentences_for(flags: str) -> tuple[str, list[str]]:
        Detection.objects.filter(slug="plateau").update(flags=flags)
        costs = comparison_costs(comparison_of(learned_campaign), CostQuery(measured=20))
        assert costs is not None
        return " ".join(cost_sentences(costs)), list(training_sentences(costs))

    unseen_texts, seen_texts = sentences_for("unseen"), sentences_for("seen")

    assert "Plateau" in unseen_texts[0]
    assert unseen_texts[1] == [f"Plateau: {HELD_OUT}"]
    assert "Plateau" not in seen_texts[0]
    assert seen_texts[1][0].startswith("Plateau: a model that has seen 4 of these series answers")
