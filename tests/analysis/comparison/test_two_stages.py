"""Screening and marking make one ground truth, so that a comparison counts false positives."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.references import yardsticks
from analysis.review import services
from analysis.review.cases import find_cases
from analysis.review.query import ReviewQuery
from annotate import attention_checks, blind
from annotate.answering.services import save_mark
from annotate.blind import EVERYTHING
from annotate.campaigns import services as campaigns
from annotate.importing import screening
from annotate.importing.mark_files import import_marks
from annotate.models import Annotator, Campaign, GroundTruth
from annotate.truth import exports, results
from formats import marks as marks_table
from people.models import Study, User
from series.models import Series
from tests.analysis.comparison.conftest import key_of
from tests.replayed_rows import replayed

FORKS = range(6)
# By fork: the votes, and where the steady ones are marked.
VOTES = {0: "sss", 1: "ssn", 2: "snn", 3: "nnn", 4: "snu", 5: "uuu"}
STARTS = {0: 10, 1: 20}


@pytest.fixture
@replayed
def six_series(make_series: Callable[..., Series]) -> list[Series]:
    return [make_series([2.0] * 10 + [1.0 + fork] * 90, fork=fork) for fork in FORKS]


def answer_forks(campaign: Campaign, people: list[User], answers: dict[int, list[Any]]) -> None:
    """An answer a person, by fork: s, n, u, or an iteration."""
    kinds = {"s": "steady", "n": "never", "u": "unclear"}
    for fork, letters in answers.items():
        task = campaign.tasks.get(series__fork=fork)
        for person, answer in zip(people, letters, strict=True):
            save_mark(
                task,
                by=person,
                client_id=uuid4(),
                digest=task.series.digest,
                kind=kinds.get(answer, "steady"),
                index=answer if isinstance(answer, int) else None,
                note="Two levels." if answer == "u" else "",
            )


def screening_of(
    study: Study, six_series: list[Series], people: list[User], votes: dict[int, str]
) -> Campaign:
    campaign = campaigns.create(
        study,
        campaigns.CampaignSpec(
            name="Screen",
            series=[series_row.pk for series_row in six_series],
            annotators=people,
            purpose=Campaign.Purpose.SCREENING,
        ),
        by=None,
    )
    campaigns.open_campaign(campaign)
    answer_forks(campaign, people, {fork: list(letters) for fork, letters in votes.items()})
    return campaign


@pytest.fixture
@replayed
def staged_campaign(
    study: Study, six_series: list[Series], ana: User, ben: User, olga: User
) -> Campaign:
    """Screened by three, marked by the same three; nothing is detected yet."""
    people = [ana, ben, olga]
    follow_up = screening.mark_steady(screening_of(study, six_series, people, VOTES), by=olga)
    campaigns.open_campaign(follow_up)
    answer_forks(follow_up, people, {fork: [start] * 3 for fork, start in STARTS.items()})
    return Campaign.objects.get(pk=follow_up.pk)


def counts(campaign: Campaign, reader: User) -> tuple[Any, ...]:
    comparison = compare_stored(
        campaign.study, reader, ComparisonQuery(yardstick=f"campaign:{campaign.slug}")
    )
    assert comparison is not None
    cell_by_column = next(entry for entry in comparison.entries if entry.kind == "method").cells()
    return tuple(cell_by_column[name] for name in ("tp", "fn", "fp", "tn"))


def cells(campaign: Campaign, reader: Any) -> dict[int, tuple[str, str, str]]:
    rows = csv.DictReader(io.StringIO("".join(exports.ground_truth_csv(campaign, reader))))
    return {
        int(row["fork"]): (row["answer"], row["steady_start"], row["agreement"]) for row in rows
    }


def test_false_positives_are_counted_from_work_done_here(
    staged_campaign: Campaign, six_series: list[Series], vic: User, store: Callable[..., None]
) -> None:
    store(key_of("georges"), six_series, [10] * 6)

    assert counts(staged_campaign, vic) == (2, 0, 2, 0)


def test_every_reader_of_ground_truth_has_both_stages(
    staged_campaign: Campaign,
    six_series: list[Series],
    vic: User,
    client: Client,
    store: Callable[..., None],
) -> None:
    store(key_of("georges"), six_series, [10] * 6)
    expected_rows = {
        0: ("steady", "10", "clustered"),
        1: ("steady", "20", "clustered"),
        2: ("never", "-1", "screened-never"),
        3: ("never", "-1", "screened-never"),
        4: ("undecided", "", "screened-undecided"),
        5: ("undecided", "", "screened-undecided"),
    }
    client.force_login(vic)
    page = client.get(staged_campaign.get_absolute_url(), {"tab": "truth"}).text
    sentences = {
        result.series.fork: result.sentence
        for result in results.results(staged_campaign, EVERYTHING)
    }
    order = results.positions_of(
        results.stored_truths(staged_campaign, EVERYTHING), staged_campaign, "start"
    )
    by_position = {task.position: task.series.fork for task in staged_campaign.tasks.all()}
    review = find_cases(staged_campaign.study, vic, ReviewQuery())
    assert review is not None

    assert cells(staged_campaign, EVERYTHING) == expected_rows
    assert page.count("screening</summary>") == 2
    assert page.count("screening, no majority</summary>") == 2
    assert sentences[2] == (
        "Screening of the same fork: 2 of 3 votes say never. Never steady; nobody was asked to "
        "mark it."
    )
    assert [by_position[position] for position in order][-2:] == [0, 1]
    assert list(review.inputs.truth.answers.never) == [False, False, True, True, False, False]
    for code in (f"campaign:{staged_campaign.slug}", f"recipe:{staged_campaign.slug}:median"):
        comparison = compare_stored(staged_campaign.study, vic, ComparisonQuery(yardstick=code))
        assert comparison is not None
        assert list(comparison.truth.never) == [False, False, True, True, False, False]
        assert list(comparison.truth.given) == [True, True, True, True, False, False]


def test_without_a_majority_a_series_is_undecided_and_counted(
    staged_campaign: Campaign, vic: User, client: Client
) -> None:
    client.force_login(vic)

    response = client.get(staged_campaign.get_absolute_url(), {"tab": "truth"})
    sentence_by_fork = {
        result.series.fork: result.sentence
        for result in results.results(staged_campaign, EVERYTHING)
    }

    assert "2 undecided by" in response.text
    assert response.context["origin"][0] == (
        "Two stages on the same forks: 2 series are never by the majority of the screening, "
        "2 series are undecided because it has none, the others were marked."
    )
    ending = "Undecided; nobody was asked to mark it."
    assert sentence_by_fork[4] == f"Screening of the same fork: 1 of 2 votes say never. {ending}"
    assert sentence_by_fork[5] == f"Screening of the same fork: nobody voted. {ending}"


def test_a_tie_is_resolved_by_those_whom_review_asks(
    staged_campaign: Campaign, six_series: list[Series], ana: User, ben: User, olga: User
) -> None:
    tied_series = six_series[4]
    review_query = ReviewQuery(yardstick=f"campaign:{staged_campaign.slug}", why=("unclear",))
    cases = find_cases(staged_campaign.study, olga, review_query)
    assert cases is not None
    assert {case.line.fork: case.reasons[0].words for case in cases.cases}[4] == (
        "SCREENING: “Screening of the same fork: 1 of 2 votes say never.”"
    )
    names = dict(staged_campaign.annotators.values_list("user", "pseudonym"))
    voter_names = [names[ana.pk], names[ben.pk]]

    services.decide(
        tied_series,
        staged_campaign,
        kind="look-again",
        user=olga,
        client_id=uuid4(),
        text="Really?",
        people=voter_names,
    )

    assert cells(staged_campaign, EVERYTHING)[4] == ("undecided", "", "incomplete")
    assert blind.is_open(ana, tied_series)
    answer_forks(staged_campaign, [ana, ben], {4: [30, 34]})
    assert cells(staged_campaign, EVERYTHING)[4] == ("steady", "34", "scattered")
    assert cells(staged_campaign, EVERYTHING)[5] == ("undecided", "", "screened-undecided")


def test_a_question_about_a_tie_that_is_taken_back_asks_nobody(
    staged_campaign: Campaign, six_series: list[Series], ana: User, olga: User
) -> None:
    names = dict(staged_campaign.annotators.values_list("user", "pseudonym"))
    decide = partial(services.decide, six_series[4], staged_campaign, user=olga)
    decide(kind="look-again", client_id=uuid4(), text="Really?", people=[names[ana.pk]])

    decide(kind="undo", client_id=uuid4())

    assert cells(staged_campaign, EVERYTHING)[4] == ("undecided", "", "screened-undecided")
    assert not blind.is_open(ana, six_series[4])


def test_nobody_is_asked_first_for_what_the_screening_called_never(
    staged_campaign: Campaign, six_series: list[Series], ana: User, olga: User
) -> None:
    names = dict(staged_campaign.annotators.values_list("user", "pseudonym"))

    with pytest.raises(ValidationError, match="Choose somebody who has answered"):
        services.decide(
            six_series[3],
            staged_campaign,
            kind="look-again",
            user=olga,
            client_id=uuid4(),
            text="Really?",
            people=[names[ana.pk]],
        )


def test_people_are_asked_for_the_steady_ones_alone_whoever_joins(
    staged_campaign: Campaign, make_person: Callable[..., User]
) -> None:
    late_person = make_person("late", "annotator")
    campaigns.add_annotators(staged_campaign, [late_person])

    asked_forks = staged_campaign.tasks.filter(assignments__user=late_person).values_list(
        "series__fork", flat=True
    )

    assert sorted(asked_forks) == [0, 1]
    assert cells(staged_campaign, EVERYTHING)[2] == ("never", "-1", "screened-never")
    assert cells(staged_campaign, EVERYTHING)[0] == ("undecided", "", "incomplete")


def test_who_has_yet_to_mark_a_series_sees_no_vote_on_it(
    study: Study, six_series: list[Series], ana: User, ben: User, olga: User, client: Client
) -> None:
    people = [ana, ben, olga]
    first = screening_of(study, six_series, people, VOTES)
    assert cells(first, ana) == {}
    follow_up = screening.mark_steady(first, by=olga, with_ties=True)
    campaigns.open_campaign(follow_up)
    answer_forks(follow_up, [ana], {0: [10]})
    client.force_login(ben)

    votes_response = client.get(first.get_absolute_url(), {"tab": "truth"})
    fork_numbers = {row.task.series.fork for row in votes_response.context["page"]}

    assert fork_numbers == {2, 3, 5}
    assert set(cells(follow_up, ben)) == {2, 3, 5}
    assert set(cells(follow_up, ana)) == {0, 2, 3, 5}
    assert {
        visible_series_row.fork
        for visible_series_row in blind.visible_series(ben, Series.objects.all())
    } == {2, 3, 5}


def test_nobody_has_marked_yet_and_it_is_no_yardstick(
    study: Study, six_series: list[Series], ana: User, olga: User
) -> None:
    follow_up = screening.mark_steady(
        screening_of(study, six_series, [ana], {0: "s", 1: "n"}), by=olga
    )
    campaigns.open_campaign(follow_up)
    assert not list(yardsticks.campaigns_with_truth(study))

    answer_forks(follow_up, [ana], {0: [10]})

    assert list(yardsticks.campaigns_with_truth(study)) == [follow_up]


@pytest.mark.parametrize(
    ("person_count", "votes", "expected_answers"),
    [
        (1, {0: "s", 1: "n"}, {0: "steady", 1: "never"}),
        (
            2,
            {0: "ss", 1: "nn", 2: "sn", 3: "un"},
            {0: "steady", 1: "never", 2: "undecided", 3: "never"},
        ),
    ],
)
def test_few_people(
    person_count: int,
    votes: dict[int, str],
    expected_answers: dict[int, str],
    study: Study,
    six_series: list[Series],
    ana: User,
    ben: User,
    olga: User,
) -> None:
    voters = [ana, ben][:person_count]
    follow_up = screening.mark_steady(screening_of(study, six_series, voters, votes), by=olga)
    campaigns.open_campaign(follow_up)
    answer_forks(follow_up, voters, {0: [10] * person_count})

    answer_by_fork = {fork: answer for fork, (answer, *_) in cells(follow_up, EVERYTHING).items()}
    assert answer_by_fork == dict.fromkeys(FORKS, "undecided") | expected_answers


def test_without_people_nothing_is_screened_and_a_screening_alone_marks_nothing(
    study: Study, six_series: list[Series], staged_campaign: Campaign
) -> None:
    with pytest.raises(ValidationError, match="Nobody annotates this campaign yet"):
        screening_of(study, six_series, [], {})

    campaigns.close(staged_campaign, by=None)
    staged_campaign.annotators.human().delete()

    with pytest.raises(ValidationError, match="Nobody annotates this campaign yet"):
        campaigns.open_campaign(staged_campaign)


def test_a_screening_that_was_gone_on_from_takes_no_other_answers(
    staged_campaign: Campaign,
) -> None:
    assert staged_campaign.follows is not None

    with pytest.raises(ValidationError, match="has what was judged never"):
        campaigns.open_campaign(staged_campaign.follows)


def test_checks_in_the_draft_leave_the_judged_ones_where_they_were(
    study: Study, six_series: list[Series], ana: User, ben: User, olga: User
) -> None:
    follow_up = screening.mark_steady(
        screening_of(study, six_series, [ana, ben, olga], VOTES), by=olga
    )

    attention_checks.set_check_count(follow_up, 2)

    assert cells(follow_up, EVERYTHING)[2] == ("never", "-1", "screened-never")
    assert follow_up.tasks.to_mark().count() == 4
    assert not follow_up.tasks.exclude(expected=None).filter(
        assignments__user__first_name="screening"
    )


def test_progress_counts_what_people_are_asked(
    staged_campaign: Campaign, client: Client, olga: User
) -> None:
    client.force_login(olga)

    line = client.get(
        reverse("campaign", args=[staged_campaign.study.slug, staged_campaign.slug])
    ).context["line"]

    assert (line.done, line.wanted, line.people) == (6, 6, 3)


def test_a_campaign_made_before_takes_the_judged_ones_in_when_it_is_recomputed(
    staged_campaign: Campaign, capsys: pytest.CaptureFixture[str]
) -> None:
    staged_campaign.tasks.exclude(pk__in=staged_campaign.tasks.to_mark()).delete()
    name = f"{staged_campaign.study.slug}/{staged_campaign.slug}"

    call_command("recompute", name)
    output = capsys.readouterr().out
    call_command("recompute", name, "--check")
    call_command("recompute", name)

    assert "4 taken in that the screening did not judge steady" in output
    assert "taken in" not in capsys.readouterr().out
    assert GroundTruth.objects.filter(steady=False, task__campaign=staged_campaign).count() == 2


def test_marks_taken_elsewhere_keep_both_stages(staged_campaign: Campaign, study: Study) -> None:
    text = "".join(exports.marks_csv(staged_campaign, EVERYTHING))
    rows = marks_table.read_marks(io.BytesIO(text.encode()), "marks.csv")

    repeated_campaign = import_marks(study, "again", rows, file="marks.csv").campaign

    assert cells(repeated_campaign, EVERYTHING) == cells(staged_campaign, EVERYTHING)
    kinds = dict(repeated_campaign.annotators.values_list("pseudonym", "kind"))
    assert kinds.pop("screening") == Annotator.Kind.SCREENING
    assert set(kinds.values()) == {Annotator.Kind.PERSON}


def test_the_command_writes_a_screening(
    staged_campaign: Campaign, capsys: pytest.CaptureFixture[str]
) -> None:
    assert staged_campaign.follows is not None
    name = f"{staged_campaign.study.slug}/{staged_campaign.follows.slug}"

    call_command("ground_truth", name)

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["majority"] for row in sorted(rows, key=lambda row: row["fork"])] == [
        *("steady", "steady", "never", "never", "tied", "no vote")
    ]
    with pytest.raises(CommandError, match="it has no recipe to choose"):
        call_command("ground_truth", name, "--recipe", "median")
