"""What a ground truth stands for: shares of its data sets, the choice of series, the stages."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from annotate.answering.services import save_mark
from annotate.campaigns import services as campaigns
from annotate.campaigns.origin import (
    AnnotatedShare,
    annotated_shares,
    choice_sentence,
    stage_sentences,
)
from annotate.importing import screening
from annotate.importing.mark_files import PAIRING, import_marks
from annotate.models import Campaign
from formats.marks import MarkRow
from people.models import Study, User
from series.models import Benchmark, Series
from tests.replayed_rows import replayed


@pytest.fixture
@replayed
def eight_series(make_series: Callable[..., Series]) -> list[Series]:
    """Two systems, two benchmarks each, two forks each."""
    names = [f"{system}.{name}" for system in ("lucene", "rxjava") for name in ("a", "b")]
    series = [make_series([1.0, 2.0, fork + 3.0], name, fork) for name in names for fork in (0, 1)]
    Benchmark.objects.filter(name__startswith="rxjava").update(system="rxjava")
    return [Series.objects.get(pk=series_row.pk) for series_row in series]


def asked_campaign(
    study: Study, series: list[Series], people: list[User], **fields: object
) -> Campaign:
    campaign = campaigns.create(
        study,
        campaigns.CampaignSpec(
            name="Some",
            series=[series_row.pk for series_row in series],
            annotators=people,
            **fields,  # type: ignore[arg-type]
        ),
        by=None,
    )
    campaigns.open_campaign(campaign)
    return campaign


def answer_all(campaign: Campaign, person: User, kind: str, count: int) -> None:
    for task in campaign.tasks.order_by("position")[:count]:
        index = 1 if kind == "steady" and not campaign.is_screening else None
        digest = task.series.digest
        save_mark(task, by=person, client_id=uuid4(), digest=digest, kind=kind, index=index)


@pytest.mark.parametrize(
    ("answered_count", "expected_share"),
    [
        (0, AnnotatedShare("Nightly", (0, 4), (0, 8), (0, 2))),
        (1, AnnotatedShare("Nightly", (1, 4), (1, 8), (1, 2))),
        (2, AnnotatedShare("Nightly", (1, 4), (2, 8), (1, 2))),
    ],
)
def test_what_counts_is_annotated(
    answered_count: int,
    expected_share: AnnotatedShare,
    study: Study,
    eight_series: list[Series],
    ana: User,
) -> None:
    campaign = asked_campaign(study, eight_series[:2], [ana])

    answer_all(campaign, ana, "steady", answered_count)

    assert annotated_shares(campaign) == [expected_share]


def test_who_has_yet_to_answer_is_waited_for(
    study: Study, eight_series: list[Series], ana: User, ben: User
) -> None:
    campaign = asked_campaign(study, eight_series, [ana, ben])

    answer_all(campaign, ana, "steady", 8)
    assert annotated_shares(campaign)[0].forks == (0, 8)
    answer_all(campaign, ben, "steady", 8)

    assert annotated_shares(campaign)[0].sentence == (
        "Nightly: 4 of 4 benchmarks (100 %), 8 of 8 forks (100 %), 2 of 2 systems (100 %) "
        "annotated."
    )


@pytest.mark.parametrize(
    ("selection", "sentence"),
    [
        ({}, "Plateau did not choose these series, so how they were chosen is unknown."),
        ({"rule": "listed", "seed": 3}, "Series: from a list, not drawn at random."),
        (
            {"rule": "one-fork", "seed": 3, "text": "sort"},
            (
                "Series: one fork of each benchmark, drawn at random with seed 3, among those of "
                "“sort”."
            ),
        ),
        (
            {"rule": "random", "seed": 4, "dataset": "Nightly", "text": "sort"},
            (
                "Series: drawn at random with seed 4, proportional by system, among those of "
                "“Nightly · sort”."
            ),
        ),
    ],
)
def test_the_choice_says_whether_it_was_at_random(
    selection: dict[str, object], sentence: str, study: Study, eight_series: list[Series]
) -> None:
    campaign = campaigns.create(
        study,
        campaigns.CampaignSpec(
            name="Some", series=[eight_series[0].pk], annotators=[], selection=selection
        ),
        by=None,
    )

    assert choice_sentence(campaign) == sentence
    assert stage_sentences(campaign) == []


def test_of_two_stages_the_first_was_chosen_and_the_forks_are_said(
    study: Study, eight_series: list[Series], ana: User, olga: User, client: Client
) -> None:
    first = asked_campaign(
        study,
        eight_series,
        [ana],
        purpose=Campaign.Purpose.SCREENING,
        selection={"rule": "random", "seed": 7},
    )
    answer_all(first, ana, "never", 5)
    for task in first.tasks.order_by("position")[5:]:
        digest = task.series.digest
        save_mark(task, by=ana, client_id=uuid4(), digest=digest, kind="steady")
    marking_campaign = screening.mark_steady(first, by=None)
    client.force_login(olga)

    response = client.get(
        reverse("campaign", args=[study.slug, marking_campaign.slug]), {"tab": "truth"}
    )

    assert "data-origin" in response.text
    assert response.context["origin"][:2] == [
        (
            "Two stages on the same forks: 5 series are never by the majority of the screening, "
            "the others were marked."
        ),
        "Series: drawn at random with seed 7, proportional by system.",
    ]
    assert annotated_shares(marking_campaign)[0].forks == (5, 8)


def test_published_labels_say_that_they_were_given_on_other_forks(
    study: Study, eight_series: list[Series]
) -> None:
    def row(series: Series, annotator: str, start: int, note: str = "") -> MarkRow:
        benchmark = series.benchmark
        answer = "never" if start < 0 else "steady"
        return MarkRow(
            system=benchmark.system,
            benchmark=benchmark.name,
            fork=series.fork,
            annotator=annotator,
            answer=answer,  # type: ignore[arg-type]
            steady_start=start,
            note=note,
        )

    rows = [row(eight_series[0], "a1", 1), row(eight_series[2], "published", -1, PAIRING)]
    campaign = import_marks(study, "package", rows, file="marks.csv").campaign

    assert stage_sentences(campaign) == [
        (
            "Two stages on different forks: 1 series is never by the published label, the others "
            "were marked. The label was given on forks that the package does not name, and is "
            "paired with fork 0."
        )
    ]
