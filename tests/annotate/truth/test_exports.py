"""Ground truth and marks as files: exact columns, nobody's open series, and back in again."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from analysis.statistics.steady_summary import change_of_result
from annotate.answering.services import save_mark
from annotate.blind import EVERYTHING
from annotate.importing.mark_files import import_marks
from annotate.models import Annotator, Assignment, Campaign, Mark, Task
from annotate.truth import exports
from formats import marks
from people.models import User
from series.models import Series

COLUMNS = (
    "dataset,dataset_name,recording,build,measured_at,system,benchmark,params,fork,n,unit,answer,"
    "steady_start,"
    "agreement,spread,excluded,annotators,a1,a2,recipe,recipe_params,series_digest,"
    "resampled_low,resampled_high,resampled_steady,change_by,change,change_low,change_high"
)


def answer(task: Task, by: User, kind: str, index: int | None = None, note: str = "") -> Mark:
    return save_mark(
        task,
        by=by,
        client_id=uuid.uuid4(),
        digest=task.series.digest,
        kind=kind,
        index=index,
        note=note,
    )


def rows(pieces: Iterable[str]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(pieces))))


def download(client: Client, name: str, campaign: Campaign) -> str:
    reply = client.get(reverse(name, args=[campaign.study.slug, campaign.slug]))
    return b"".join(reply.streaming_content).decode()  # type: ignore[attr-defined]


@pytest.fixture
def two_tasks(
    make_series: Callable[..., Series], make_task: Callable[[Series], Task]
) -> list[Task]:
    """Two series; the second one's name would run as a formula."""
    first = make_task(make_series([3.0, 2.0, 1.0, 1.0], name="Sort.merge"))
    second = make_task(make_series([3.0, 1.0, 1.0, 1.0], name="=cmd()"))
    return [first, second]


def test_columns_and_cells_are_the_contract(two_tasks: list[Task], ana: User, ben: User) -> None:
    first, second = two_tasks
    answer(first, ana, "steady", 2)
    answer(first, ben, "steady", 0)
    answer(second, ana, "never")
    answer(second, ben, "unclear", note="two levels")

    text = "".join(exports.ground_truth_csv(first.campaign, EVERYTHING))

    assert text.splitlines()[0] == COLUMNS
    digests = [first.series.digest, second.series.digest]
    change = change_of_result(first.series.array(), 0, 2)  # (3 + 2 + 1 + 1) / 4 against 1
    assert change
    assert text.splitlines()[1:] == [
        (
            "nightly,Nightly,first,,,example,Sort.merge,,0,4,s/op,steady,2,scattered,2,,2,2,0,"
            f"jagt,eps=50&min_samples=3,{digests[0]},0,2,1.0,"
            f"a2,0.75,{change.low},{change.high}"
        ),
        (
            "nightly,Nightly,first,,,example,'=cmd(),,0,4,s/op,never,-1,unanimous-never,,,2,-1,,"
            f"jagt,eps=50&min_samples=3,{digests[1]},,,0.0,,,,"
        ),
    ]


def test_an_answer_that_is_missing_makes_it_undecided(two_tasks: list[Task], ana: User) -> None:
    answer(two_tasks[0], ana, "steady", 0)

    truth_rows = rows(exports.ground_truth_csv(two_tasks[0].campaign, EVERYTHING))

    assert [(row["answer"], row["steady_start"], row["agreement"]) for row in truth_rows] == [
        ("undecided", "", "incomplete"),
        ("undecided", "", "incomplete"),
    ]
    assert (truth_rows[0]["a1"], truth_rows[0]["a2"]) == ("0", "")
    assert (truth_rows[0]["resampled_low"], truth_rows[0]["resampled_steady"]) == ("", "")


def test_zero_last_and_never_are_three_things(two_tasks: list[Task], ana: User, ben: User) -> None:
    answer(two_tasks[0], ana, "steady", 0)
    answer(two_tasks[0], ben, "steady", 3)
    answer(two_tasks[1], ana, "never")

    truth_rows = rows(exports.ground_truth_csv(two_tasks[0].campaign, EVERYTHING))

    assert [(row["a1"], row["a2"]) for row in truth_rows] == [("0", "3"), ("-1", "")]


def test_a_file_holds_no_series_that_its_reader_has_yet_to_answer(
    client: Client, two_tasks: list[Task], ana: User, ben: User
) -> None:
    answer(two_tasks[0], ben, "steady", 1)
    answer(two_tasks[1], ben, "steady", 1)
    answer(two_tasks[0], ana, "steady", 2)
    client.force_login(ana)

    for name in ("ground-truth-csv", "marks-csv"):
        text = download(client, name, two_tasks[0].campaign)
        assert two_tasks[0].series.digest in text
        assert two_tasks[1].series.digest not in text


def test_marks_go_out_and_come_in_again(two_tasks: list[Task], ana: User, ben: User) -> None:
    campaign = two_tasks[0].campaign
    answer(two_tasks[0], ana, "steady", 2)
    answer(two_tasks[0], ana, "steady", 1)
    answer(two_tasks[0], ben, "unclear", note="+ two levels")
    answer(two_tasks[1], ben, "never")
    output = io.StringIO()
    call_command("marks", f"{campaign.study.slug}/{campaign.slug}", stdout=output)

    file = io.BytesIO(output.getvalue().encode())

    import_result = import_marks(
        campaign.study, "again", marks.read_marks(file, "marks.csv"), file="marks.csv"
    )

    assert (import_result.stored, import_result.series, import_result.annotators) == (4, 2, 2)
    second_output = io.StringIO()
    call_command("marks", f"{campaign.study.slug}/again", stdout=second_output)
    # Positions differ with the campaign's seed; the rows are the same.
    assert sorted(second_output.getvalue().splitlines()) == sorted(output.getvalue().splitlines())


def test_the_command_writes_a_whole_file_or_none(
    two_tasks: list[Task], ana: User, tmp_path: Path
) -> None:
    campaign = two_tasks[0].campaign
    target = tmp_path / "truth.csv"

    call_command("ground_truth", f"{campaign.study.slug}/{campaign.slug}", output=target)

    assert target.read_text().splitlines()[0] == COLUMNS
    assert [path.name for path in tmp_path.iterdir()] == ["truth.csv"]


def test_a_mistyped_campaign_is_told_what_there_is(two_tasks: list[Task]) -> None:
    with pytest.raises(
        CommandError, match=r"no campaign 'frist' in startup-times; there are: first"
    ):
        call_command("ground_truth", "startup-times/frist")


def test_people_who_were_not_asked_have_an_empty_cell(two_tasks: list[Task], ana: User) -> None:
    Assignment.objects.filter(task=two_tasks[0]).exclude(user=ana).delete()
    answer(two_tasks[0], ana, "steady", 2)

    row = rows(exports.ground_truth_csv(two_tasks[0].campaign, EVERYTHING))[0]

    assert (row["answer"], row["a1"], row["a2"], row["annotators"]) == ("steady", "2", "", "1")


def test_pseudonyms_stand_in_natural_order(campaign: Campaign, olga: User, vic: User) -> None:
    Annotator.objects.create(campaign=campaign, user=olga, pseudonym="a10")
    Annotator.objects.create(campaign=campaign, user=vic, pseudonym="a9")

    assert exports.pseudonyms(campaign) == ["a1", "a2", "a9", "a10"]


def test_a_person_has_the_pseudonym_of_the_campaign_of_the_file(
    two_tasks: list[Task], ana: User, campaign: Campaign
) -> None:
    answer(two_tasks[0], ana, "never")
    later_campaign = Campaign.objects.create(study=campaign.study, name="Later", slug="later")
    Annotator.objects.create(campaign=later_campaign, user=ana, pseudonym="b7")

    assert [row["annotator"] for row in rows(exports.marks_csv(campaign, EVERYTHING))] == ["a1"]
