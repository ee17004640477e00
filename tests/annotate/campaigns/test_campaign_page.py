"""The page of a campaign: its tabs, its one button, and what its ground truth shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.test import Client

from annotate.answering.services import save_mark
from annotate.campaigns import services as campaigns
from annotate.models import Annotator, Assignment, Campaign, Task
from annotate.truth import results
from annotate.truth.mark_strip import MarkAxis, MarkStrip, marks_words
from annotate.truth.truth_summary import TruthSummary
from people.models import User
from series.models import Series

PRIMARY = re.compile(r'<(?:a|button) class="button button-primary"[^>]*>(.*?)</', re.DOTALL)

# What ana, ben and olga answer to each series: an iteration, n never, u unclear.
ANSWERS = ["5 9 6", "n n n", "7 80 n", "5 n u", "2 90 190"]


def answer(task: Task, by: User, answer_text: str) -> None:
    kind = {"n": "never", "u": "unclear"}.get(answer_text, "steady")
    index = int(answer_text) if kind == "steady" else None
    note = "two levels" if kind == "unclear" else ""
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind=kind, index=index, note=note)


@pytest.fixture
def answered_campaign(
    make_series: Callable[..., Series],
    make_task: Callable[[Series], Task],
    campaign: Campaign,
    ana: User,
    ben: User,
    olga: User,
) -> Campaign:
    """Five series that all three have answered."""
    Annotator.objects.create(campaign=campaign, user=olga, pseudonym="a3")
    for fork, words in enumerate(ANSWERS):
        task = make_task(make_series([float(fork)] * 200, fork=fork))
        for person, answer_code in zip((ana, ben, olga), words.split(), strict=True):
            answer(task, person, answer_code)
    return campaign


def page_text(client: Client, campaign: Campaign, query: str = "") -> str:
    response = client.get(campaign.get_absolute_url() + query)
    return " ".join(response.content.decode().split())


def primary_labels(page: str) -> list[str]:
    """Words of the primary buttons outside dialogs."""
    outer_page = re.sub(r"<dialog.*?</dialog>", "", page)
    return [re.sub(r"<[^>]*>", "", words).strip() for words in PRIMARY.findall(outer_page)]


def test_one_button_says_what_the_state_asks_for(
    client: Client, answered_campaign: Campaign, olga: User, ana: User, vic: User
) -> None:
    client.force_login(olga)
    assert primary_labels(page_text(client, answered_campaign)) == ["Close campaign"]
    Assignment.objects.filter(user=ana, task__position=1).update(latest=None)
    assert primary_labels(page_text(client, answered_campaign)) == ["Remind ana"]
    client.force_login(ana)
    assert primary_labels(page_text(client, answered_campaign)) == ["Annotate 1 ⏎"]

    campaigns.close(answered_campaign, by=olga)
    client.force_login(olga)
    assert primary_labels(page_text(client, answered_campaign)) == ["Decide 4 disagreements"]
    client.force_login(vic)
    assert primary_labels(page_text(client, answered_campaign)) == ["Compare"]
    Campaign.objects.filter(pk=answered_campaign.pk).update(state=Campaign.State.DRAFT)
    client.force_login(olga)
    assert primary_labels(page_text(client, answered_campaign)) == ["Open campaign"]


def test_ground_truth_comes_first_once_the_campaign_is_closed(
    client: Client, answered_campaign: Campaign, olga: User
) -> None:
    client.force_login(olga)
    assert "Progress by annotator" in page_text(client, answered_campaign)

    campaigns.close(answered_campaign, by=olga)

    response = client.get(answered_campaign.get_absolute_url())
    assert response.context["summary"].sentence == (
        "3 of 5 series become steady, half of them by iteration 80; 1 never does, 1 is undecided."
    )
    page = page_text(client, answered_campaign)
    assert "Ground truth CSV</a>" in page
    assert ">Agreement</a>" in page


def test_a_part_of_the_bar_filters_the_list(
    client: Client, answered_campaign: Campaign, olga: User
) -> None:
    client.force_login(olga)

    response = client.get(answered_campaign.get_absolute_url(), {"tab": "truth", "only": "never"})

    assert [result.task.position for result, *_ in response.context["rows"]] == [2]
    assert {bar_part.code: bar_part.n for bar_part in response.context["summary"].bar} == {
        "close": 1,
        "scattered": 2,
        "never": 1,
        "undecided": 1,
    }
    assert sum(bar_part.width for bar_part in response.context["summary"].bar) == pytest.approx(
        100, abs=0.01
    )


def test_a_row_has_every_mark_and_says_how_it_came_about(
    answered_campaign: Campaign, olga: User
) -> None:
    result_by_position = {
        result.task.position: result for result in results.results(answered_campaign, olga)
    }
    axis = MarkAxis(199)

    strip = MarkStrip.from_result(result_by_position[1], axis)
    assert [(mark.people, mark.iteration, mark.counts) for mark in strip.marks] == [
        ("A1", 5, True),
        ("A3", 6, True),
        ("A2", 9, True),
    ]
    assert strip.truth == axis.place(6)
    assert strip.tint is not None
    assert strip.tint[0] < axis.place(5)
    assert sum(strip.tint) > axis.place(9)
    assert MarkStrip.from_result(result_by_position[4], axis).signs == "○?"
    assert MarkStrip.from_result(result_by_position[4], axis).signs_words == "A2 never, A3 unclear"
    assert [marks_words(result_by_position[position]) for position in (1, 2, 3, 4, 5)] == [
        "3 of 3 close",
        "3 of 3 never",
        "scattered",
        "undecided",
        "scattered",
    ]


def test_places_grow_with_iterations_from_edge_to_edge() -> None:
    axis = MarkAxis(999)

    assert (axis.place(0), axis.place(999)) == (0.0, 100.0)
    assert axis.place(9) == pytest.approx(33.33, abs=0.01)  # log(10) of log(1000)
    assert [value for value, _ in axis.ticks] == [0, 10, 100]
    assert MarkAxis(0).place(0) == 0.0


def test_the_sentence_counts_every_end() -> None:
    summary = TruthSummary.from_rows(
        [("close", 4), ("scattered", 8), ("never", None), ("undecided", None), ("waiting", None)]
    )

    assert summary.sentence == (
        "2 of 5 series become steady, half of them by iteration 4; 1 never does, 1 is undecided, "
        "1 waits for answers."
    )
    assert TruthSummary.from_rows([]).sentence == "0 of 0 series become steady."


def test_who_has_yet_to_answer_reads_that_it_is_hidden(
    client: Client, answered_campaign: Campaign, ana: User
) -> None:
    Assignment.objects.filter(user=ana).update(latest=None)
    client.force_login(ana)

    page = page_text(client, answered_campaign, "?tab=truth")

    assert "until you have answered" in page
    assert "mark-tick" not in page
    assert "until you have answered" in page_text(client, answered_campaign, "?tab=agreement")


def test_without_script_the_address_opens_the_dialog(
    client: Client, answered_campaign: Campaign, olga: User
) -> None:
    client.force_login(olga)

    assert re.search(
        r'id="close-dialog"[^>]* open', page_text(client, answered_campaign, "?ask=close")
    )
    assert not re.search(r'id="close-dialog"[^>]* open', page_text(client, answered_campaign))


def test_an_open_campaign_asks_again_for_tabs_button_and_progress(
    client: Client, answered_campaign: Campaign, olga: User
) -> None:
    client.force_login(olga)

    page = client.get(answered_campaign.get_absolute_url()).content.decode()
    [parts] = re.findall(r'hx-select-oob="([^"]*)"', page)
    campaigns.close(answered_campaign, by=olga)
    closed_page = client.get(answered_campaign.get_absolute_url()).content.decode()

    assert all(f'id="{link[1:].partition(":")[0]}"' in page for link in parts.split(","))
    assert "hx-select-oob" not in closed_page
