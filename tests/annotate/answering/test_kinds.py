"""Rounds and published classifications among the annotators: shown as such, counted as nobody."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from analysis.agreement import drilldown, exports, sentences
from analysis.agreement.figures import agreement_figures
from analysis.agreement.query import AgreementQuery
from analysis.agreement.reads import read_votes
from analysis.comparison.query import ComparisonQuery as Compare
from analysis.comparison.table import compare_stored
from analysis.comparison.what_if import WhatIfQuery, what_if
from analysis.references import yardsticks
from analysis.report import content
from annotate import recipes
from annotate.blind import EVERYTHING
from annotate.campaign_pages import progress
from annotate.importing.mark_files import PAIRING, import_marks
from annotate.models import Annotator, Campaign
from annotate.truth.results import results
from formats.marks import MarkRow
from people.models import Study, User
from people.templatetags.writing import breakable
from series.models import Series

Kind = Annotator.Kind
# Five people mark four series; two more are published as never steady.
MARKS = [(10, 12, 11, 10, 13), (40, 41, 44, 90, 41), (5, 5, 6, 5, 5), (60, 20, 40, 61, 62)]


def row(series: Series, annotator: str, start: int, note: str = "") -> MarkRow:
    return MarkRow(
        benchmark=series.benchmark.name,
        fork=series.fork,
        annotator=annotator,
        answer="never" if start == recipes.NEVER else "steady",
        steady_start=start,
        note=note,
    )


def import_rows(study: Study, slug: str, rows: list[MarkRow]) -> Campaign:
    return import_marks(study, slug, rows, file="marks.csv").campaign


@pytest.fixture
def six_series(make_series: Callable[..., Series]) -> list[Series]:
    return [make_series([float(fork)] * 100, fork=fork) for fork in range(6)]


@pytest.fixture
def published_campaign(study: Study, six_series: list[Series]) -> Campaign:
    marks = [
        row(series, f"a{number}", start)
        for series, starts in zip(six_series, MARKS, strict=False)
        for number, start in enumerate(starts, start=1)
    ]
    never_rows = [row(series, "published", recipes.NEVER, PAIRING) for series in six_series[4:]]
    return import_rows(study, "published", [*marks, *never_rows])


def kinds(campaign: Campaign) -> dict[str, str]:
    return dict(campaign.annotators.values_list("pseudonym", "kind"))


def test_an_import_knows_what_is_no_person(study: Study, six_series: list[Series]) -> None:
    rows = [
        row(six_series[0], name, 5, PAIRING) for name in ("round1", "tie-break", "published", "a1")
    ]
    rows += [row(six_series[1], "published", 9, "seen by myself")]

    first = import_rows(study, "rounds", rows[:4])
    mixed_campaign = import_rows(study, "mixed", rows)

    assert kinds(first) == {
        "round1": Kind.ROUND,
        "tie-break": Kind.ROUND,
        "published": Kind.PUBLISHED,
        "a1": Kind.PERSON,
    }
    assert kinds(mixed_campaign)["published"] == Kind.PERSON  # somebody with a note of their own


def test_a_published_never_is_said_to_be_one(published_campaign: Campaign, as_vic: Client) -> None:
    listed_results = sorted(
        results(published_campaign, EVERYTHING), key=lambda result: result.series.fork
    )

    assert [result.answered for result in listed_results] == [5, 5, 5, 5, 0, 0]
    assert listed_results[5].sentence == "Published as never steady; no person was asked."
    assert listed_results[5].settled.steady is False
    assert "say never" not in " ".join(result.sentence for result in listed_results)

    page = as_vic.get(published_campaign.get_absolute_url(), {"tab": "truth"}).text

    assert (
        page.count(f">{breakable(listed_results[0].series.benchmark.short_name)}</a>") == 6
    )  # each row has a name
    assert "PUBLISHED" not in page


def test_progress_counts_people(
    published_campaign: Campaign, study: Study, six_series: list[Series]
) -> None:
    import_rows(
        study,
        "rounds",
        [row(six_series[0], "round1", 5, PAIRING), row(six_series[0], "round2", 6, PAIRING)],
    )

    counts_by_campaign = {
        line.campaign.slug: (line.people, line.rounds) for line in progress.campaign_lines(study)
    }

    assert counts_by_campaign == {"published": (5, 0), "rounds": (0, 2)}
    assert progress.coverage(published_campaign, owner=True) == [
        (0, 2), (1, 0), (2, 0), (3, 0), (4, 0), (5, 4),
    ]  # fmt: skip
    assert progress.bars(published_campaign)[-1].name == "published classification, no person"


def test_agreement_is_that_of_people_and_of_what_they_could_differ_in(
    published_campaign: Campaign, as_vic: Client
) -> None:
    figures = agreement_figures(read_votes(published_campaign, EVERYTHING, AgreementQuery()))

    assert list(figures.votes.people) == ["a1", "a2", "a3", "a4", "a5"]
    assert (figures.votes.task_count, figures.votes.classified_count) == (4, 2)
    assert len(figures.pairs) == 10
    assert {absence.person for absence in figures.absences} == set(figures.votes.people)
    # Nobody could say never: full agreement would tell of the choice of series alone.
    assert (figures.tells_yes_no, figures.yes_no.n) == (False, 4)
    assert (figures.yes_no.observed, figures.yes_no.kappa, figures.yes_no.ac1) == (None, None, None)
    assert {pair.same_share for pair in figures.pairs} == {None}
    assert {row[3] for row in exports.agreement_rows(figures) if "yes-no" in str(row[0])} <= {
        None,
        0,
    }
    assert sentences.yes_no(figures) == sentences.UNTOLD
    assert len(drilldown.series_of_figure(figures, "votes")[1]) == 4

    page = as_vic.get(published_campaign.get_absolute_url(), {"tab": "agreement"}).text

    assert "PUBLISHED" not in page
    assert "100.0" not in page.split("Every pair of people")[0]
    assert "2 more were classified" in page


def test_one_never_makes_yes_and_no_tell_again(
    published_campaign: Campaign, study: Study, six_series: list[Series]
) -> None:
    campaign = import_rows(study, "published", [row(six_series[0], "a1", recipes.NEVER, "drifts")])

    figures = agreement_figures(read_votes(campaign, EVERYTHING, AgreementQuery()))

    assert figures.tells_yes_no
    assert figures.yes_no.observed is not None


def test_a_comparison_has_people_and_no_classification(
    published_campaign: Campaign, vic: User
) -> None:
    comparison = compare_stored(published_campaign.study, vic, Compare())
    assert comparison is not None
    people = [entry for entry in comparison.entries if entry.kind == "person"]

    assert [entry.name for entry in people if "published" in entry.name] == []
    assert len(people) == 5
    assert {entry.cells()["agreement"] for entry in people} == {None}
    assert {entry.cells()["kappa"] for entry in people} == {None}
    codes = [yardstick.code for yardstick in yardsticks.yardsticks(published_campaign.study)]
    assert not [code for code in codes if re.search(r"(person|others):.*:published$", code)]
    results = what_if(comparison, WhatIfQuery())
    assert results is not None
    assert {absence.person for absence in results.absences} == {"a1", "a2", "a3", "a4", "a5"}
    assert results.scenario_truths[0].never == 2
    assert dict(content.comparison_settings(comparison))["ground truth by"].endswith(
        "from the marks of 5 people and the published classification"
    )
