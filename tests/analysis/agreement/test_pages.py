"""The agreement page: its figures, the series behind them, and what a reader may see."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from analysis.agreement import drilldown, sentences
from analysis.agreement.drilldown import UnknownFigure
from analysis.agreement.figures import agreement_figures
from analysis.agreement.query import AgreementQuery
from analysis.agreement.reads import read_votes
from analysis.statistics.annotator_agreement import LEAST_FOR_DRIFT, MarkDrift
from annotate.answering.services import save_mark
from annotate.blind import EVERYTHING
from annotate.campaigns import services as campaigns
from annotate.models import Annotator, Assignment, Campaign, Mark, Task
from people.models import User
from series.models import Series
from tests.replayed_rows import replayed

# What a1, a2 and a3 answer to each series: an iteration, n never, u unclear, - nothing.
ANSWERS = ["5 9 6", "n n n", "7 n 8", "40 90 41", "u 3 n", "2 2 2", "5 5 -"]


def answer(task: Task, by: User, answer_text: str) -> None:
    kind = {"n": "never", "u": "unclear"}.get(answer_text, "steady")
    save_mark(
        task,
        by=by,
        client_id=uuid.uuid4(),
        digest=task.series.digest,
        kind=kind,
        index=int(answer_text) if kind == "steady" else None,
        note="two levels" if kind == "unclear" else "",
        seconds=3.0,
    )


@pytest.fixture
@replayed
def answered_campaign(
    make_series: Callable[..., Series],
    make_task: Callable[[Series], Task],
    campaign: Campaign,
    ana: User,
    ben: User,
    olga: User,
) -> Campaign:
    """ana, ben and olga answer seven series of 100 values; olga has one left."""
    Annotator.objects.create(campaign=campaign, user=olga, pseudonym="a3")
    for fork, words in enumerate(ANSWERS):
        task = make_task(make_series([float(fork)] * 100, fork=fork))
        for person, answer_code in zip((ana, ben, olga), words.split(), strict=True):
            if answer_code != "-":
                answer(task, person, answer_code)
    return campaign


def agreement_address(campaign: Campaign) -> str:
    return f"{campaign.get_absolute_url()}?tab=agreement"


def address(name: str, campaign: Campaign) -> str:
    return reverse(name, args=[campaign.study.slug, campaign.slug])


def test_figures_worked_by_hand(answered_campaign: Campaign) -> None:
    figures = agreement_figures(read_votes(answered_campaign, EVERYTHING, AgreementQuery()))

    # Same yes/no, of the pairs on a series: 1, 1, 1/3, 1, 0, 1, 1 of seven series.
    assert figures.yes_no.n == 7
    assert figures.yes_no.observed == pytest.approx((5 + 1 / 3) / 7)
    assert figures.split_count == 2
    assert figures.alpha.n == 4
    assert figures.complete_count == 6
    # Spreads: 4, -, 1, 50, -, 0, 0.
    assert [(band.low, band.n) for band in figures.bands if band.n] == [(0, 4), (50, 1)]
    assert figures.median_spread == 1
    # Complete and steady: 5 9 6 and 2 2 2 in clusters, 40 90 41 too (within 50); 7 and 8 alone.
    assert list(figures.clusters) == [(3, 3), (0, 1)]
    assert figures.votes.unclear_counts == {"a1": 1, "a2": 0, "a3": 0}

    figures = agreement_figures(
        read_votes(answered_campaign, EVERYTHING, AgreementQuery(tolerance=3))
    )

    pair = figures.pairs[0]
    assert (pair.first, pair.second, pair.n, pair.same) == ("a1", "a2", 6, 5)
    assert (pair.n_steady, pair.mean_abs, pair.within) == (4, (4 + 50 + 0 + 0) / 4, 2)
    absence = {absence.person: absence for absence in figures.absences}["a2"]
    # Without a2: 5 6 -> 6 as before; 7 8 -> 8 stays; 40 41 stays at 41; u n -> never for tied.
    assert (absence.n, absence.changed, absence.yes_no) == (6, 1, 1)
    assert drilldown.series_of_figure(figures, "without:a2")[1] == (5,)


def test_people_without_a_series_in_common_are_named_below_the_pairs(
    client: Client, answered_campaign: Campaign, make_person: Callable[..., User], olga: User
) -> None:
    dora = make_person("dora", "annotator")
    Annotator.objects.create(campaign=answered_campaign, user=dora, pseudonym="a4")
    client.force_login(olga)

    page = client.get(agreement_address(answered_campaign)).content.decode()

    assert '<span class="nowrap">A2</span>' in page
    assert '<span class="nowrap">A4</span>' not in page
    assert "Without a series in common: A1 – A4, A2 – A4, A3 – A4." in page


def test_where_nobody_shares_a_series_the_page_says_so(
    client: Client, answered_campaign: Campaign, olga: User
) -> None:
    for person, task in zip(("ana", "ben"), answered_campaign.tasks.all(), strict=False):
        Assignment.objects.filter(task=task).exclude(user__username=person).update(latest=None)
    Assignment.objects.filter(task__position__gt=2).update(latest=None)
    client.force_login(olga)
    Assignment.objects.filter(user=olga).delete()  # asked of nothing, so blind to nothing

    page = client.get(agreement_address(answered_campaign)).content.decode()

    assert "Without a series in common: A1 – A2, A1 – A3, A2 – A3." in page
    assert "On the series that" not in page


BEHIND = {
    "votes": (1, 2, 3, 4, 5, 6, 7),
    "split": (3, 5),
    "alpha": (1, 4, 6, 7),
    "spread:0:10": (1, 3, 6, 7),
    "spread:50": (4,),
    "cluster:3": (1, 4, 6),
    "cluster:0": (3,),
    "pair:a1:a2": (3, 4),
    "worked:a1": (1, 3, 4, 6, 7),
    "twice:a1": (),
}


def disagreements_address(campaign: Campaign, code: str) -> str:
    page_address = reverse("disagreements", args=[campaign.study.slug])
    return f"{page_address}?y=campaign:{campaign.slug}&order=name&of={code}"


def positions(client: Client, campaign: Campaign, code: str) -> list[int]:
    """Positions of the series that the list of a figure shows."""
    lines = client.get(disagreements_address(campaign, code)).context["listed"].lines
    tasks = campaign.tasks.filter(series__in=[line.pk for line in lines])
    return sorted(tasks.values_list("position", flat=True))


def test_series_behind_each_figure(client: Client, answered_campaign: Campaign, vic: User) -> None:
    figures = agreement_figures(read_votes(answered_campaign, EVERYTHING, AgreementQuery()))
    assert {code: drilldown.series_of_figure(figures, code)[1] for code in BEHIND} == BEHIND
    for code in ("x", "pair:a1", "pair:a1:a9", "spread:a", "twice:a9", ""):
        with pytest.raises(UnknownFigure, match="no figure"):
            drilldown.series_of_figure(figures, code)

    client.force_login(vic)
    assert positions(client, answered_campaign, "split") == [3, 5]
    response = client.get(disagreements_address(answered_campaign, "split"))
    assert [row.row_figure.reason for row in response.context["rows"]] == [
        "2 steady, 1 never",
        "1 steady, 1 never",
    ]
    assert client.get(disagreements_address(answered_campaign, "pair:a1:a9")).status_code == 404


def test_the_page_says_each_figure_in_a_sentence(
    client: Client,
    answered_campaign: Campaign,
    vic: User,
    django_assert_max_num_queries: Callable[..., Any],
) -> None:
    client.force_login(vic)

    with django_assert_max_num_queries(28):
        text = client.get(agreement_address(answered_campaign)).content.decode()

    assert "n = 7 of 7" in text
    assert "76.2\xa0% of cases; on 2 of 7" in text
    assert "On 4 series that nobody" in text
    assert "On 3 of 4 series with" in text
    assert "Nobody has answered a series" in text


def test_the_order_of_work_is_told_from_ten_series_on(
    client: Client, answered_campaign: Campaign, vic: User
) -> None:
    figures = agreement_figures(read_votes(answered_campaign, EVERYTHING, AgreementQuery()))
    drift = MarkDrift("a1", LEAST_FOR_DRIFT, 0.0, 0.0, rho=None, p=None)
    moving_drift = replace(drift, rho=0.9, p=0.001)
    client.force_login(vic)

    assert "Last third" not in client.get(agreement_address(answered_campaign)).text
    assert "ten series" in sentences.drifts(figures)
    assert "same distance" in sentences.drifts(replace(figures, drifts=(drift,)))
    assert "marks of A1 move" in sentences.drifts(replace(figures, drifts=(drift, moving_drift)))


def test_a_reader_sees_what_they_have_answered(
    client: Client, answered_campaign: Campaign, olga: User, vic: User
) -> None:
    client.force_login(olga)  # has one series left

    response = client.get(agreement_address(answered_campaign))

    assert response.context["votes"].positions == (1, 2, 3, 4, 5, 6)
    assert "n = 6 of 7" in response.content.decode()
    assert "1 series is hidden" in " ".join(response.content.decode().split())
    assert positions(client, answered_campaign, "votes") == [1, 2, 3, 4, 5, 6]


def test_the_file_has_the_figures_of_the_page(
    client: Client, answered_campaign: Campaign, vic: User
) -> None:
    client.force_login(vic)

    answer = client.get(address("campaign-agreement-file", answered_campaign) + "?tol=3")

    text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    rows = list(csv.DictReader(io.StringIO(text)))
    figures = agreement_figures(read_votes(answered_campaign, vic, AgreementQuery(tolerance=3)))
    kappa_row = next(row for row in rows if row["figure"] == "fleiss-kappa")
    assert (float(kappa_row["value"]), kappa_row["n"]) == (figures.yes_no.kappa, "7")
    pairs = [row for row in rows if row["figure"] == "pair-mean-abs"]
    assert [float(row["value"]) for row in pairs] == [pair.mean_abs for pair in figures.pairs]
    for row in rows:
        drilldown.series_of_figure(figures, row["behind"])  # every code leads to series


def test_an_empty_campaign_says_what_will_be_here(
    client: Client, campaign: Campaign, task: Task, vic: User, ana: User
) -> None:
    address_ = agreement_address(campaign)
    client.force_login(vic)
    empty_page = client.get(address_).content.decode()
    assert "Nobody has answered a" in empty_page
    assert "n = " not in empty_page

    client.force_login(ana)
    assert "You have yet to" in client.get(address_).content.decode()


def test_a_second_pass_compares_people_with_themselves(
    client: Client, answered_campaign: Campaign, ana: User, vic: User
) -> None:
    campaigns.close(answered_campaign, by=None)
    second_campaign = Campaign.objects.create(
        study=answered_campaign.study,
        name="Again",
        slug="again",
        state=Campaign.State.OPEN,
        purpose=Campaign.Purpose.REPEAT,
        repeats=answered_campaign,
    )
    Annotator.objects.create(campaign=second_campaign, user=ana, pseudonym="a1")
    Mark.objects.update(when=Mark.objects.latest("when").when - timedelta(days=8))
    first = answered_campaign.tasks.get(position=1)
    second_task = Task.objects.create(campaign=second_campaign, series=first.series, position=1)
    Assignment.objects.create(task=second_task, user=ana, order=0)
    answer(second_task, ana, "8")
    client.force_login(vic)

    response = client.get(agreement_address(answered_campaign))

    (repeat,) = response.context["agreement"].consistencies
    assert (repeat.pseudonym, repeat.n, repeat.same, repeat.difference) == ("a1", 1, 1, 3)
    assert positions(client, answered_campaign, "twice:a1") == [1]
    assert client.get(address("campaign-agreement-file", second_campaign)).status_code == 404


def test_the_command_refuses_what_has_no_agreement(answered_campaign: Campaign) -> None:
    answered_campaign.purpose = Campaign.Purpose.TRAINING
    answered_campaign.save()

    with pytest.raises(CommandError, match="has no agreement"):
        call_command("agreement", "startup-times/first-look")
