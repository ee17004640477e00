"""Deciding: added by name, taken back, visible in comparison and export; truth is never set."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.references.models import ReviewDecision
from analysis.references.review_status import review_statuses
from analysis.review import services
from annotate import blind
from annotate.answering.ground_truth_updates import ground_truth_columns
from annotate.blind import EVERYTHING
from annotate.models import Campaign, GroundTruth, Task
from annotate.truth import exports
from people.models import Study, User
from series.models import Series
from tests.analysis.comparison.conftest import key_of, mark
from tests.analysis.review.conftest import address, decide
from tests.test_undo import UndoForms


def state(series: Series, campaign: Campaign | None) -> str:
    status = review_statuses(series.benchmark.dataset.study, campaign).get(series.pk)
    return status.state if status else "open"


def test_a_decision_never_changes_the_ground_truth(
    answered_tasks: list[Task], four_series: list[Series], campaign: Campaign, olgas: Client
) -> None:
    truths_before = list(GroundTruth.objects.order_by("pk").values())

    for series, kind in zip(four_series, ("accept", "exclude", "note", "accept"), strict=True):
        assert decide(olgas, series, kind, text="because").status_code == 201

    assert list(GroundTruth.objects.order_by("pk").values()) == truths_before
    assert all(ground_truth_columns(campaign, answered_tasks).values())
    assert [state(series, campaign) for series in four_series] == [
        "accepted",
        "excluded",
        "open",
        "accepted",
    ]


def test_decisions_are_named_timed_and_never_changed(
    answered_tasks: list[Task], four_series: list[Series], olgas: Client, olga: User
) -> None:
    decide(olgas, four_series[0], "exclude", text=" cut off ", reasons="scattered nonsense")
    review_decision = ReviewDecision.objects.get()

    assert (
        review_decision.by,
        review_decision.text,
        review_decision.reasons,
        review_decision.task,
    ) == (olga, "cut off", ["scattered"], answered_tasks[0])
    with pytest.raises(TypeError, match="append-only"):
        review_decision.save()


def test_the_same_click_twice_is_one_decision(
    answered_tasks: list[Task], four_series: list[Series], olgas: Client
) -> None:
    request_id = str(uuid4())
    for _ in range(2):
        assert decide(olgas, four_series[0], "accept", client_id=request_id).status_code == 201

    assert ReviewDecision.objects.count() == 1


def test_other_marks_open_an_accepted_case_again(
    answered_tasks: list[Task],
    four_series: list[Series],
    campaign: Campaign,
    olgas: Client,
    ana: User,
) -> None:
    decide(olgas, four_series[0], "accept")

    mark(answered_tasks[0], ana, 77)

    assert state(four_series[0], campaign) == "open"


def test_looking_again_waits_for_the_last_one(
    answered_tasks: list[Task],
    four_series: list[Series],
    campaign: Campaign,
    olgas: Client,
    ana: User,
    ben: User,
) -> None:
    decide(olgas, four_series[0], "look-again", text="Really?", to_whom=["a1", "a2"])
    assert (state(four_series[0], campaign), blind.is_open(ana, four_series[0])) == (
        "waiting",
        True,
    )

    mark(answered_tasks[0], ana, 40)
    assert state(four_series[0], campaign) == "waiting"

    mark(answered_tasks[0], ben, 42)
    assert state(four_series[0], campaign) == "open"


def test_taking_back_a_question_gives_the_answers_back(
    answered_tasks: list[Task],
    four_series: list[Series],
    campaign: Campaign,
    olgas: Client,
    ana: User,
) -> None:
    decide(olgas, four_series[0], "look-again", text="Really?", to_whom=["a1"])

    assert decide(olgas, four_series[0], "undo").status_code == 201

    assert state(four_series[0], campaign) == "open"
    assert not blind.is_open(ana, four_series[0])
    assert GroundTruth.objects.get(task=answered_tasks[0]).complete


def test_what_was_taken_back_cannot_be_taken_back_again(
    answered_tasks: list[Task], four_series: list[Series], olgas: Client
) -> None:
    decide(olgas, four_series[0], "accept")
    decide(olgas, four_series[0], "undo")

    second_reply = decide(olgas, four_series[0], "undo")

    assert second_reply.status_code == 409
    assert "undone before" in second_reply.json()["sentence"]  # type: ignore[attr-defined]
    assert [review_decision.kind for review_decision in ReviewDecision.objects.all()] == [
        "accept",
        "undo",
    ]


@pytest.mark.parametrize(
    ("kind", "fields", "status", "sentence"),
    [
        ("exclude", {"text": "  "}, 422, "Say why it is left out"),
        ("look-again", {"text": ""}, 422, "Write the question"),
        ("look-again", {"text": "Really?"}, 422, "Choose somebody who has answered"),
        ("set-to-322", {}, 422, "Select a valid choice"),
    ],
)
def test_what_can_be_mended_is_said(
    answered_tasks: list[Task],
    four_series: list[Series],
    olgas: Client,
    kind: str,
    fields: dict[str, Any],
    status: int,
    sentence: str,
) -> None:
    answer = decide(olgas, four_series[0], kind, **fields)

    assert answer.status_code == status
    assert sentence in answer.json()["sentence"]  # type: ignore[attr-defined]
    assert not ReviewDecision.objects.exists()


def test_a_closed_campaign_asks_nobody_again(
    answered_tasks: list[Task], four_series: list[Series], campaign: Campaign, olgas: Client
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(state=Campaign.State.CLOSED)

    answer = decide(olgas, four_series[0], "look-again", text="Really?", to_whom=["a1"])

    assert answer.status_code == 409
    assert "First look is closed" in answer.json()["sentence"]  # type: ignore[attr-defined]


# --- who may ------------------------------------------------------------------------------------
def test_viewers_read_annotators_write_notes_owners_decide(
    answered_tasks: list[Task], four_series: list[Series], client: Client, vic: User, ana: User
) -> None:
    for person, kinds in ((vic, ()), (ana, ("note",))):
        client.force_login(person)
        assert client.get(address(four_series[0])).status_code == 200
        status_by_kind = {
            kind: decide(client, four_series[0], kind, text="why").status_code for kind in KINDS
        }
        assert {kind for kind, status in status_by_kind.items() if status == 201} == set(kinds)
        assert {status_by_kind[kind] for kind in KINDS if kind not in kinds} == {403}


KINDS = ("accept", "exclude", "look-again", "undo", "note")


def test_nobody_decides_about_a_series_they_have_yet_to_answer(
    answered_tasks: list[Task],
    four_series: list[Series],
    make_person: Callable[..., User],
    client: Client,
) -> None:
    client.force_login(make_person("cleo", "annotator"))

    assert client.get(address(four_series[0])).status_code == 404
    assert decide(client, four_series[0], "note", text="psst").status_code == 404


def test_signed_out_a_script_is_told_and_a_form_is_led_to_the_sign_in(
    answered_tasks: list[Task], four_series: list[Series], client: Client
) -> None:
    url, data = (
        f"{address(four_series[0])}decisions/",
        {"kind": "accept", "client_id": str(uuid4())},
    )

    script_response = client.post(url, data, headers={"X-Plateau-Person": "olga"})
    form_response = client.post(url, data)

    assert (script_response.status_code, script_response.json()["reason"]) == (401, "signed-out")
    assert form_response.status_code == 302
    assert form_response.headers["Location"].startswith("/sign-in/?next=")
    assert not ReviewDecision.objects.exists()


def test_another_persons_page_does_not_decide_under_this_name(
    answered_tasks: list[Task], four_series: list[Series], olgas: Client
) -> None:
    data = {"kind": "accept", "client_id": str(uuid4())}

    answer = olgas.post(
        f"{address(four_series[0])}decisions/", data, headers={"X-Plateau-Person": "ben"}
    )

    assert (answer.status_code, answer.json()["reason"]) == (401, "other-person")
    assert not ReviewDecision.objects.exists()


# --- what follows -------------------------------------------------------------------------------
def test_an_excluded_series_leaves_the_comparison_and_is_counted(
    compared_study: Campaign, four_series: list[Series], study: Study, olga: User, olgas: Client
) -> None:
    decide(olgas, four_series[1], "exclude", text="cut off")

    comparison = compare_stored(study, olga, ComparisonQuery())
    page = olgas.get("/s/startup-times/comparison/").content.decode()

    assert comparison is not None
    assert [line.fork for line in comparison.lines] == [0, 2, 3]
    assert [
        (excluded_series.line.fork, excluded_series.reason)
        for excluded_series in comparison.inputs.excluded
    ] == [(1, "cut off")]
    assert "left out by a decision" in page


def test_drill_down_and_files_name_it(
    compared_study: Campaign, four_series: list[Series], olgas: Client
) -> None:
    decide(olgas, four_series[1], "exclude", text="cut off, twice")

    page = olgas.get("/s/startup-times/disagreements/?by=methods&cell=excluded").content.decode()
    response = olgas.get("/s/startup-times/comparison/export/?what=series&cell=excluded")
    left_out_document = olgas.get(
        "/s/startup-times/comparison/export/?what=left-out&format=json"
    ).json()

    assert "cut off, twice" in page
    (row,) = csv.DictReader(io.StringIO(b"".join(response).decode()))
    assert (row["fork"], row["excluded"]) == ("1", "cut off, twice")
    assert left_out_document["excluded"] == 1
    assert left_out_document["rows"][-1]["series"] == 1


def test_the_ground_truth_file_has_the_reason(
    answered_tasks: list[Task], four_series: list[Series], campaign: Campaign, olgas: Client
) -> None:
    decide(olgas, four_series[1], "exclude", text="cut off")

    rows = list(
        csv.DictReader(io.StringIO("".join(exports.ground_truth_csv(campaign, EVERYTHING))))
    )

    assert [row["excluded"] for row in rows] == ["", "cut off", "", ""]
    assert rows[1]["steady_start"] == "62"


def test_it_is_said_on_the_page_of_the_series(
    answered_tasks: list[Task], four_series: list[Series], olgas: Client
) -> None:
    decide(olgas, four_series[1], "exclude", text="cut off")

    page = olgas.get(four_series[1].get_absolute_url()).content.decode()

    assert "First look by olga" in page


def test_without_a_campaign_a_decision_holds_for_every_comparison(
    four_series: list[Series], store: Callable[..., None], study: Study, olga: User, olgas: Client
) -> None:
    Series.objects.filter(pk__in=[series.pk for series in four_series]).update(known_start=50)
    store(key_of("kb-kssd"), four_series, [50, 90, 50, 50])

    assert decide(olgas, four_series[1], "exclude", text="cut off").status_code == 201

    assert state(four_series[1], None) == "excluded"
    comparison = compare_stored(study, olga, ComparisonQuery())
    assert comparison is not None
    assert len(comparison.lines) == 3
    ask_reply = decide(olgas, four_series[1], "look-again", text="Really?")
    assert ask_reply.status_code == 422


# --- pages --------------------------------------------------------------------------------------
def test_the_queue_leads_from_case_to_case(
    compared_study: Campaign, four_series: list[Series], olgas: Client
) -> None:
    queue_page = olgas.get("/s/startup-times/disagreements/?why=truth&m=any").content.decode()
    first_page = olgas.get(address(four_series[0], "?why=truth&m=any&order=name")).content.decode()

    assert queue_page.count("data-listed-case") == 3
    assert "3 to go" in first_page
    assert (
        f'{address(four_series[1], "?why=truth&amp;m=any&amp;order=name")}" data-do="skip"'
        in first_page
    )
    assert "KB-KSSD" in first_page
    assert "matters" in first_page  # consequence, in the table of detections
    assert "Marks 40, 42" in first_page


def test_without_script_a_decision_leads_to_the_next_case(
    compared_study: Campaign, four_series: list[Series], olgas: Client
) -> None:
    data = {"kind": "accept", "client_id": str(uuid4())}

    answer = olgas.post(address(four_series[0], "decisions/?why=truth&m=any&order=name"), data)

    assert answer["Location"] == address(four_series[1], "?why=truth&m=any&order=name")
    page = olgas.get(answer["Location"]).content.decode()
    assert "Kept: Sort.merge fork 0." in page
    [(form_address, fields)] = UndoForms(page).forms
    olgas.post(form_address, fields)
    assert state(four_series[0], compared_study) == "open"


def test_a_decided_case_says_by_whom_and_can_be_taken_back(
    compared_study: Campaign, four_series: list[Series], olgas: Client
) -> None:
    decide(olgas, four_series[0], "exclude", text="cut off")

    page = olgas.get(address(four_series[0])).content.decode()
    closed_page = olgas.get("/s/startup-times/disagreements/?state=closed").content.decode()

    assert "olga left it out" in page
    assert 'data-decision="undo"' in page
    assert 'data-decision="accept"' not in page
    assert "cut off" in closed_page


def test_the_file_has_every_case_with_its_consequence(
    compared_study: Campaign, four_series: list[Series], olgas: Client
) -> None:
    response = olgas.get("/s/startup-times/review.csv?why=truth&m=any&order=name")

    rows = list(csv.DictReader(io.StringIO(b"".join(response).decode())))
    assert [(row["fork"], row["truth"]) for row in rows] == [("0", "42"), ("1", "62"), ("2", "-1")]
    assert rows[0]["reasons"] == "truth scattered forks"
    assert (rows[0]["change_by"], rows[0]["consequence"]) == ("sdm", "matters")


def test_an_empty_study_says_how_to_begin(study: Study, olgas: Client) -> None:
    page = olgas.get("/s/startup-times/disagreements/").content.decode()

    assert "Nothing to decide yet" in page


def test_a_decision_about_a_series_outside_of_the_campaign_is_no_page(
    answered_tasks: list[Task], make_series: Callable[..., Series], olgas: Client
) -> None:
    series = make_series([1.0] * 60, fork=9)

    assert olgas.get(address(series)).status_code == 404
    with pytest.raises(Task.DoesNotExist):
        services.decide(
            series,
            answered_tasks[0].campaign,
            kind="accept",
            user=User.objects.get(username="olga"),
            client_id=uuid4(),
        )


def test_home_asks_annotators_to_look_again(
    answered_tasks: list[Task], four_series: list[Series], olgas: Client, ana: User
) -> None:
    decide(olgas, four_series[1], "look-again", text="Really?", to_whom=["a1"])
    study_page = olgas.get("/s/startup-times/").content.decode()
    olgas.force_login(ana)

    home_page = olgas.get("/", follow=True).content.decode()

    assert "/disagreements/" in study_page
    assert "1 series to answer again" in home_page
    assert "olga asks: “Really?”" in home_page
    assert answered_tasks[1].get_absolute_url() in home_page


def test_results_of_a_campaign_count_what_is_excluded(
    answered_tasks: list[Task], four_series: list[Series], campaign: Campaign, olgas: Client
) -> None:
    decide(olgas, four_series[1], "exclude", text="cut off")

    page = olgas.get(campaign.get_absolute_url() + "?tab=truth").content.decode()

    assert "1 left out of comparisons" in page


@pytest.mark.parametrize("is_seen", [True, False])
def test_who_is_blind_to_an_excluded_series_does_not_learn_of_it(
    is_seen: bool,  # noqa: FBT001
    answered_tasks: list[Task],
    four_series: list[Series],
    campaign: Campaign,
    olgas: Client,
    ana: User,
    make_person: Callable[..., User],
) -> None:
    decide(olgas, four_series[1], "exclude", text="EXCLUDED-BECAUSE")
    olgas.force_login(ana if is_seen else make_person("cleo", "annotator"))

    urls = [
        "comparison/",
        "disagreements/?by=methods&cell=excluded",
        "disagreements/?state=closed",
        "review.csv",
    ]
    urls += ["comparison/export/?what=left-out", f"series/{four_series[1].public_id}/"]
    responses = [olgas.get(f"/s/startup-times/{url}") for url in urls]
    text = b"".join(
        b"".join(response) if response.streaming else response.content for response in responses
    )

    assert (b"EXCLUDED-BECAUSE" in text) == is_seen
    assert (b"1 left out by a decision" in text) == is_seen


def test_a_campaign_without_answers_leads_to_its_own_page(study: Study, olgas: Client) -> None:
    draft = Campaign.objects.create(study=study, name="Draft", slug="draft")
    address = f"/s/{study.slug}/disagreements/"

    response = olgas.get(f"{address}?y=campaign:draft&order=least-sure")

    assert (response.status_code, response.headers["Location"]) == (302, draft.get_absolute_url())
    assert olgas.get(f"{address}?y=campaign:unknown").status_code == 404


def test_one_word_stands_for_what_a_decision_takes_out() -> None:
    assert ReviewDecision.Kind.EXCLUDE.label == "left it out"
