"""The series that people look at first: which, for whom, and what it does to their queues."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from analysis.least_sure.reads import LeastSure, least_sure
from analysis.least_sure.replay import stored_replay
from analysis.least_sure.services import NOTHING_SAID, ask_in_order
from analysis.runs.certainty import default_key
from analysis.runs.models import Detection
from analysis.runs.selection import SeriesSelection
from analysis.statistics import marking_order
from annotate import attention_checks
from annotate.answering import queries
from annotate.answering.services import save_mark
from annotate.blind import EVERYTHING
from annotate.campaigns import origin, services as campaigns
from annotate.drafts.campaign_forms import SeriesForm
from annotate.models import Annotator, Assignment, Campaign, Task
from detectors.contract import NEVER, Certainty
from people.models import Study, User
from series.models import Series

OTHER = "plateau@4?model=ours&chance=0.5&worth=1200"
LENGTH = 200
WIDTHS = (20, 80, 50, 160, 10, 120)  # iterations, by fork
ORDER = (3, 5, 1, 2, 0, 4)  # of the forks, the widest first


def state(series: Iterable[Series], widths: Iterable[int], key: str = "", start: int = 30) -> None:
    for series_row, width in zip(series, widths, strict=False):
        Detection.objects.create(
            series=series_row,
            detector_key=key or default_key(),
            slug="plateau",
            steady_start=start,
            **asdict(Certainty(0.75, 20, 20 + width, 0.5)),
        )


@pytest.fixture
def six_series(make_series: Callable[..., Series]) -> list[Series]:
    steps = np.where(np.arange(LENGTH) < 50, 2.0, 1.0)
    return [make_series(steps + fork / 100, fork=fork) for fork in range(len(WIDTHS))]


@pytest.fixture
def asked_tasks(six_series: list[Series], make_task: Callable[[Series], Task]) -> list[Task]:
    return [make_task(series_row) for series_row in six_series]


@pytest.fixture
def _turns_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marking_order, "TURN", 2)


def answer(task: Task, *people: User) -> None:
    digest = task.series.digest
    for person in people:
        save_mark(task, by=person, client_id=uuid4(), digest=digest, kind="steady", index=50)


def forks(least_sure: LeastSure) -> list[int]:
    return [row.series.fork for row in least_sure.rows]


def plain_text(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def queue(campaign: Campaign, person: User) -> list[int]:
    """Forks in the person's own order, as the annotate page has it."""
    fork_by_position = dict(campaign.tasks.values_list("position", "series__fork"))
    return [fork_by_position[task.position] for task in queries.queue(person, campaign)]


# --- which ------------------------------------------------------------------------------------
@pytest.mark.parametrize("stated_count", [0, 1, 2, 6])
def test_the_widest_interval_is_first(
    stated_count: int, asked_tasks: list[Task], six_series: list[Series]
) -> None:
    state(six_series[:stated_count], WIDTHS)

    ranking = least_sure(asked_tasks[0].campaign, EVERYTHING)

    assert forks(ranking) == [fork for fork in ORDER if fork < stated_count]
    assert (ranking.unsaid_count, ranking.marked_count, ranking.lacking_count) == (
        6 - stated_count,
        0,
        6,
    )


def test_widths_are_shares_of_the_length_and_what_has_its_marks_is_left(
    asked_tasks: list[Task],
    make_series: Callable[..., Series],
    make_task: Callable[[Series], Task],
    ana: User,
    ben: User,
) -> None:
    state([task.series for task in asked_tasks], WIDTHS)
    long_series = make_series(np.ones(10 * LENGTH), fork=6)
    state(
        [make_task(long_series).series], [300]
    )  # more iterations than any, and 15 % of its length
    answer(asked_tasks[3], ana, ben)
    answer(asked_tasks[5], ana)

    ranking = least_sure(asked_tasks[0].campaign, EVERYTHING)

    assert forks(ranking) == [5, 1, 2, 6, 0, 4]
    assert [(row.answer_count, row.asked_count) for row in ranking.rows[:2]] == [(1, 2), (0, 2)]
    assert ranking.marked_count == 1
    assert ranking.rows[3].certainty.interval == "20 to 320"
    words = "50 % that theirs is within 50 iterations of 30"
    assert plain_text(ranking.rows[0].certainty.agreement_words) == words


def test_never_is_as_sure_as_people_would_call_it_so(asked_tasks: list[Task]) -> None:
    state([asked_tasks[0].series], WIDTHS, start=NEVER)

    row = least_sure(asked_tasks[0].campaign, EVERYTHING).rows[0]

    assert plain_text(row.certainty.agreement_words) == "25 % that people say never steady"


def test_another_method_has_another_order(
    asked_tasks: list[Task], six_series: list[Series]
) -> None:
    state(six_series, WIDTHS)
    state(six_series[:2], (90, 10), OTHER)

    ranking = least_sure(asked_tasks[0].campaign, EVERYTHING, OTHER)

    assert (forks(ranking), ranking.keys) == ([0, 1], sorted([default_key(), OTHER]))


def test_who_has_yet_to_answer_finds_them_counted_and_no_more(
    asked_tasks: list[Task], six_series: list[Series], olga: User
) -> None:
    state(six_series, WIDTHS)
    campaign = asked_tasks[0].campaign
    Annotator.objects.create(campaign=campaign, user=olga, pseudonym="a3")
    for order, task in enumerate(asked_tasks[:4]):
        Assignment.objects.create(task=task, user=olga, order=order)
    answer(asked_tasks[3], olga)

    ranking = least_sure(campaign, olga)

    assert forks(ranking) == [3, 5, 4]
    assert (ranking.hidden_count, ranking.hidden_count.asked, ranking.lacking_count) == (3, 3, 3)


# --- queues -----------------------------------------------------------------------------------
def test_they_are_the_head_of_everybodys_queue_each_in_an_own_order(
    asked_tasks: list[Task], six_series: list[Series], ana: User, ben: User, olga: User
) -> None:
    """What is answered stays where it was; who joins later is asked for them first, too."""
    state(six_series, WIDTHS)
    campaign = asked_tasks[0].campaign
    answer(asked_tasks[3], ana, ben)
    answer(asked_tasks[0], ana)

    sentence = ask_in_order(campaign, "first", count=2)
    campaigns.add_annotators(campaign, [olga])

    assert sentence == "2 series are first in everybody’s queue now."
    assert "no random sample" in " ".join(origin.origin_sentences(campaign))
    assert set(campaign.tasks.filter(turn=0).values_list("series__fork", flat=True)) == {5, 1}
    for person, forks in ((ana, {0, 3}), (ben, {3})):
        positions = queue(campaign, person)
        assert [positions.index(fork) for fork in sorted(forks)] == sorted(forks)
        assert set([fork for fork in positions if fork not in forks][:2]) == {5, 1}
        assert queries.next_open_task(person, campaign).series.fork in {5, 1}  # type: ignore[union-attr]
    assert set(queue(campaign, olga)[:2]) == {5, 1}


@pytest.mark.usefixtures("_turns_of_two")
def test_all_are_asked_in_turns_and_in_own_orders_again(
    asked_tasks: list[Task], six_series: list[Series], ana: User, ben: User
) -> None:
    state(six_series, WIDTHS)
    campaign = asked_tasks[0].campaign

    ask_in_order(campaign, "all")
    queues = [queue(campaign, person) for person in (ana, ben)]
    ask_in_order(campaign, "own")

    for forks in queues:
        assert [set(forks[k : k + 2]) for k in (0, 2, 4)] == [{3, 5}, {1, 2}, {0, 4}]
    assert set(campaign.tasks.values_list("turn", flat=True)) == {0}
    assert "no random sample" not in " ".join(origin.origin_sentences(campaign))
    assert [queue(campaign, person) for person in (ana, ben)] != queues


@pytest.mark.parametrize("order", ["first", "all"])
def test_nothing_changes_where_nothing_is_said_or_nothing_is_asked(
    order: Any, asked_tasks: list[Task], six_series: list[Series], ana: User
) -> None:
    campaign, queue_before = asked_tasks[0].campaign, queue(asked_tasks[0].campaign, ana)

    with pytest.raises(ValidationError, match=NOTHING_SAID[:40]):
        ask_in_order(campaign, order)
    state(six_series, WIDTHS)
    for fields in ({"state": "closed"}, {"state": "open", "purpose": "screening"}):
        Campaign.objects.filter(pk=campaign.pk).update(**fields)
        campaign.refresh_from_db()
        with pytest.raises(ValidationError, match="asks for no iteration, or for nothing"):
            ask_in_order(campaign, order)
    assert queue(campaign, ana) == queue_before


# --- a new campaign ---------------------------------------------------------------------------
def new_campaign(
    study: Study, series: Sequence[Series], people: list[User], **fields: Any
) -> Campaign:
    campaign_spec = campaigns.CampaignSpec(
        name="New",
        series=[series_row.pk for series_row in series],
        annotators=people,
        selection={"order": "least-sure"},
        **fields,
    )
    return campaigns.create(study, campaign_spec, by=None)


@pytest.mark.usefixtures("_turns_of_two")
def test_a_new_campaign_begins_with_them_and_a_cap_leaves_the_surest(
    study: Study, six_series: list[Series], ana: User, ben: User
) -> None:
    state(six_series, WIDTHS)

    campaign = new_campaign(study, six_series, [ana, ben], cap=4)

    for person in (ana, ben):
        forks = queue(campaign, person)
        assert [set(forks[k : k + 2]) for k in (0, 2)] == [{3, 5}, {1, 2}]
        assert len(forks) == 4


@pytest.mark.usefixtures("_turns_of_two")
def test_checks_come_at_any_turn(study: Study, six_series: list[Series], ana: User) -> None:
    """They say nothing of themselves, and must not all come last."""
    state(six_series, WIDTHS)
    campaign = new_campaign(study, six_series, [ana], seed=4)

    attention_checks.set_check_count(campaign, 4)

    checks = campaign.tasks.exclude(expected=None).values_list("turn", flat=True)
    turn_by_fork = dict(campaign.tasks.counted().values_list("series__fork", "turn"))
    assert len(set(checks)) > 1
    assert set(checks) <= {0, 1, 2}
    assert turn_by_fork == {3: 0, 5: 0, 1: 1, 2: 1, 0: 2, 4: 2}


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({}, []),
        ({"order": "by-name"}, ["order"]),
        ({"order": "least-sure"}, []),
        ({"order": "least-sure", "purpose": "screening"}, ["order"]),
    ],
)
def test_the_first_step_of_a_campaign_offers_the_order(
    changes: dict[str, str], errors: list[str], study: Study, six_series: list[Series]
) -> None:
    data = QueryDict(mutable=True)
    data.update({"name": "New", "rule": "all", "seed": "1", **changes})

    form = SeriesForm(study, data)

    assert list(form.errors) == errors
    assert errors or form.described()["order"] == changes.get("order", "")


# --- page, file, command ----------------------------------------------------------------------
def test_the_page_says_why_and_asks_them_first(
    client: Client, asked_tasks: list[Task], six_series: list[Series], olga: User, ana: User
) -> None:
    state(six_series[:5], WIDTHS)
    campaign = asked_tasks[0].campaign
    names = [campaign.study.slug, campaign.slug]
    list_address = reverse("disagreements", args=names[:1])
    address = reverse("asking-order", args=names)
    client.force_login(olga)

    response = client.get(f"{list_address}?y=campaign:{campaign.slug}&order=least-sure")
    page = response.content.decode()
    run = client.get(response.context["asking"].run_address).context["form"]
    answered_response = client.post(address, {"n": "2", "order": "first"}, follow=True)
    wrong_response = client.post(address, {"order": "sideways"}, follow=True)
    text = b"".join(client.get(reverse("least-sure-file", args=names))).decode()

    assert stored_replay().sentence in page
    assert 'data-left-out="0" data-unsaid="1"' in page
    dataset_slug = six_series[5].benchmark.dataset.slug
    assert run.selection == SeriesSelection(dataset=dataset_slug, campaign=campaign.slug)
    assert [key.split("@")[0] for key in run.keys] == ["plateau"]
    assert [str(message) for message in answered_response.context["messages"]] == [
        "2 series are first in everybody’s queue now."
    ]
    assert set(queue(campaign, ana)[:2]) == {3, 1}
    assert [message.level_tag for message in wrong_response.context["messages"]] == ["bad"]
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [int(row["fork"]) for row in rows] == [3, 1, 2, 0, 4]
    assert (rows[0]["low"], rows[0]["high"], rows[0]["width"]) == ("20", "180", "0.8")


@pytest.mark.parametrize("changes", [{"state": "closed"}, {"purpose": "training"}])
def test_a_campaign_that_asks_for_nothing_has_no_such_page(
    changes: dict[str, str], client: Client, task: Task, olga: User
) -> None:
    Campaign.objects.filter(pk=task.campaign_id).update(**changes)
    client.force_login(olga)

    names = [task.campaign.study.slug, task.campaign.slug]
    assert client.get(reverse("least-sure-file", args=names)).status_code == 404
    assert client.post(reverse("asking-order", args=names)).status_code == 404


def test_the_command_lists_them_and_asks_them_first(
    asked_tasks: list[Task], six_series: list[Series], ana: User
) -> None:
    campaign, output, err = asked_tasks[0].campaign, io.StringIO(), io.StringIO()
    name = f"{campaign.study.slug}/{campaign.slug}"
    with pytest.raises(CommandError, match="No method has said"):
        call_command("least_sure", name, "--order", "first", stdout=output)
    state(six_series, WIDTHS)

    call_command("least_sure", name, "--count", "3", "--order", "first", stdout=output, stderr=err)

    rows = list(csv.DictReader(io.StringIO(output.getvalue())))
    assert [int(row["fork"]) for row in rows] == [3, 5, 1]
    assert err.getvalue() == "3 series are first in everybody’s queue now.\n"
    assert set(queue(campaign, ana)[:3]) == {3, 5, 1}


def test_the_guide_has_the_stored_figures_of_the_replay() -> None:
    replay = stored_replay()
    guide = (settings.BASE_DIR / "docs" / "guide" / "campaigns.md").read_text("utf-8")

    assert f"{replay.marks} marks in this order halve the mean error" in guide
    assert f"a random order needs {replay.random}." in guide
    assert f"it saves {replay.saved_low} to {replay.saved_high} marks" in guide
