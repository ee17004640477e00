"""Removing takes a thing and what goes with it out of sight; restoring brings back every row."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.methods.models import ImportedMethod
from analysis.references import yardsticks
from analysis.removal import services
from analysis.removal.counts import RemovalCounts
from analysis.removal.models import KEPT, Removal, RemovedDetection
from analysis.runs.models import Detection, Run
from analysis.site import reads
from annotate import blind
from annotate.answering.services import save_mark
from annotate.campaigns import services as campaigns
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Mark, Task
from people.models import Invitation, Role, Study, User
from people.services import accept, create_invitation
from series.importing import quota
from series.models import Benchmark, Dataset, Import, Recording, Series
from tests.access_table import TABLE
from tests.analysis.removal.conftest import FIXED, finished_run

pytestmark = pytest.mark.slow

Rows = Callable[[], dict[str, Any]]
KINDS = ("study", "dataset", "recording", "second", "campaign", "late", "run", "method")


def removable(kind: str) -> Any:
    find_by_kind: dict[str, Callable[[], Any]] = {
        "study": Study.objects.get,
        "dataset": lambda: Dataset.objects.get(study__removed=None),
        "recording": lambda: Recording.objects.get(label="first"),
        "second": lambda: Recording.objects.get(label="second"),
        "campaign": lambda: Campaign.objects.present().get(slug="first-look"),
        "late": lambda: Campaign.objects.present().get(slug="late"),
        "run": Run.objects.get,
        "method": ImportedMethod.objects.get,
    }
    return find_by_kind[kind]()


@pytest.mark.parametrize("kind", KINDS)
def test_restoring_brings_back_every_row(
    full_study: Study, olga: User, everything_rows: Rows, kind: str
) -> None:
    rows_before = everything_rows()

    removal = services.remove_from_study(removable(kind), user=olga)
    rows_between = everything_rows()
    services.restore_removal(removal, user=olga)

    assert rows_between != rows_before
    assert everything_rows() == rows_before
    assert not RemovedDetection.objects.exists()


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("study", ("4 series", "2 campaigns", "1 run", "7 marks by 2 people", "8 detections")),
        ("dataset", ("4 series", "2 campaigns", "1 run", "7 marks by 2 people", "8 detections")),
        ("recording", ("2 series", "3 marks by 2 people", "4 detections")),
        ("second", ("2 series", "1 campaign", "4 marks by 1 person", "4 detections")),
        ("campaign", ("5 marks by 2 people",)),
        ("run", ("4 detections",)),
        ("method", ("4 detections",)),
    ],
)
def test_what_goes_with_it_is_named(full_study: Study, kind: str, words: tuple[str, ...]) -> None:
    assert RemovalCounts.from_removable(removable(kind)).words == words


@pytest.mark.parametrize(
    ("kind", "series_count", "task_count", "detection_count"),
    [
        ("study", 0, 0, 0),
        ("dataset", 0, 0, 0),
        ("recording", 2, 4, 4),
        ("second", 2, 2, 4),
        ("campaign", 4, 2, 8),
        ("run", 4, 6, 4),
        ("method", 4, 6, 4),
    ],
)
def test_nobody_finds_what_was_removed(
    full_study: Study,
    olga: User,
    kind: str,
    series_count: int,
    task_count: int,
    detection_count: int,
) -> None:
    services.remove_from_study(removable(kind), user=olga)

    visible_series = Series.objects.visible_to(olga)
    assert visible_series.count() == series_count
    assert Task.objects.visible_to(olga).count() == task_count
    assert Detection.objects.filter(series__in=visible_series).count() == detection_count
    if kind != "study":  # nobody has the study to ask it of
        assert reads.study_summary(full_study, olga).series_count == series_count
    assert blind.visible_series(olga, Series.objects.all()).count() == series_count


PAGES = [name for name, route in TABLE.items() if route.get and route.arguments == ("study",)]


def test_no_page_of_the_study_names_what_was_removed(
    client: Client, full_study: Study, olga: User
) -> None:
    client.force_login(olga)
    services.remove_from_study(removable("second"), user=olga)
    services.remove_from_study(removable("method"), user=olga)

    for name in PAGES:
        answer: Any = client.get(reverse(name, args=[full_study.slug]) + TABLE[name].query)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert answer.status_code < 500, name
        assert b"org.example.Second" not in body, name
        assert b"own:ours" not in body, name


@pytest.mark.parametrize("kind", ["dataset", "campaign", "run"])
def test_every_page_is_there_after_a_removal(
    client: Client, full_study: Study, olga: User, kind: str
) -> None:
    client.force_login(olga)
    services.remove_from_study(removable(kind), user=olga)
    names = ("study", "datasets", "campaigns", "runs", "comparison", "disagreements")

    status_codes = {
        client.get(reverse(name, args=[full_study.slug]), follow=True).status_code for name in names
    }

    assert status_codes == {200}


def test_a_removed_study_is_nobodys_and_its_address_is_free(
    client: Client, full_study: Study, olga: User, ana: User, stranger: User
) -> None:
    invitation = create_invitation(full_study, by=olga, role=Role.OWNER)
    removal = services.remove_from_study(full_study, user=olga)

    for person in (olga, ana):
        client.force_login(person)
        assert full_study.name not in client.get(reverse("home")).content.decode()
    with pytest.raises(ValidationError, match="This invitation is revoked"):
        accept(Invitation.objects.get(), by=stranger)
    assert client.get(reverse("join", args=[invitation.token])).status_code == 410
    Study.objects.create(name="Startup times", slug="startup-times")
    services.restore_removal(removal, user=olga)
    full_study.refresh_from_db()
    assert full_study.slug == "startup-times-2"
    assert full_study.role_of(ana) == Role.ANNOTATOR


def test_a_campaign_that_was_removed_keeps_nobody_blind(
    full_study: Study, olga: User, ben: User
) -> None:
    Campaign.objects.filter(slug="late").delete()
    Annotator.objects.create(campaign=removable("campaign"), user=olga, pseudonym="a3")
    for task in Task.objects.all():
        Assignment.objects.create(task=task, user=olga, order=1)
    assert blind.open_series(olga).count() == 4

    removal = services.remove_from_study(removable("campaign"), user=olga)

    assert blind.open_series(olga).count() == 0
    assert blind.open_series(ben).count() == 4  # an annotator, never asked: fails closed
    services.restore_removal(removal, user=olga)
    assert blind.open_series(olga).count() == 4


def test_a_mark_that_arrives_while_it_is_removed_comes_back(
    full_study: Study, olga: User, ben: User
) -> None:
    task = Task.objects.filter(campaign__slug="first-look", position=2).get()
    removal = services.remove_from_study(removable("campaign"), user=olga)

    digest = task.series.digest  # the page was there before
    save_mark(task, by=ben, client_id=uuid4(), digest=digest, kind="never")
    services.restore_removal(removal, user=olga)

    assert Mark.objects.filter(task__campaign=removable("campaign"), annotator=ben).count() == 2


def test_series_that_come_back_get_ground_truth_by_the_recipe_of_now(
    full_study: Study, olga: User, ana: User, ben: User
) -> None:
    removal = services.remove_from_study(removable("recording"), user=olga)
    campaign = removable("campaign")
    campaigns.change_recipe(campaign, recipe="median", params={})
    series = [series_row.pk for series_row in Series.objects.filter(recording__label="second")]
    campaigns.add_series(campaign, series)

    services.restore_removal(removal, user=olga)

    campaign.refresh_from_db()
    assert campaigns.stale_truth_tasks(campaign) == []
    keys = GroundTruth.objects.filter(task__campaign=campaign).values_list("recipe_key", flat=True)
    assert {key.partition("@")[0] for key in keys} == {"median"}


def test_a_place_that_was_taken_meanwhile_stays_taken(
    full_study: Study, make_series: Callable[..., Series], second_recording: Recording, olga: User
) -> None:
    removal = services.remove_from_study(removable("recording"), user=olga)
    new_series = Series.objects.filter(recording=second_recording).first()
    assert new_series is not None
    new_series.pk, new_series.public_id, new_series.fork = None, "another", 99
    new_series.save(force_insert=True)
    campaign = removable("campaign")
    campaigns.add_series(campaign, [new_series.pk])
    Task.objects.filter(series=new_series).update(position=1)

    services.restore_removal(removal, user=olga)

    assert sorted(campaign.tasks.values_list("position", flat=True)) == [1, 2, 3, 4, 5]
    assert Task.objects.get(series=new_series, campaign=campaign).position == 1


@pytest.mark.parametrize("purpose", ["annotate", "screening", "changes"])
def test_series_that_come_back_are_dealt_to_who_joined_meanwhile(
    full_study: Study, olga: User, purpose: str
) -> None:
    removal = services.remove_from_study(removable("recording"), user=olga)
    campaign = removable("campaign")
    Campaign.objects.filter(pk=campaign.pk).update(purpose=purpose)
    campaign.refresh_from_db()
    campaigns.add_annotators(campaign, [olga])
    assert Assignment.objects.filter(task__campaign=campaign, user=olga).count() == 2

    services.restore_removal(removal, user=olga)

    assert Assignment.objects.filter(task__campaign=campaign, user=olga).count() == 4


def test_names_that_were_given_again_stay_with_who_has_them(full_study: Study, olga: User) -> None:
    removal = services.remove_from_study(removable("dataset"), user=olga)
    Dataset.objects.create(study=full_study, name="Nightly", slug="nightly")

    services.restore_removal(removal, user=olga)

    names = full_study.datasets.values_list("name", "slug")
    assert sorted(names) == [("Nightly", "nightly"), ("Nightly (2)", "nightly-2")]


def test_a_run_leaves_what_another_run_asks_for(
    full_study: Study, many_series: list[Series], olga: User
) -> None:
    finished_run(full_study, many_series, "Again")
    first = Run.objects.get(name="Ours")

    assert RemovalCounts.from_removable(first).words == ()
    services.remove_from_study(first, user=olga)

    assert Detection.objects.filter(detector_key=FIXED).count() == 4


def test_what_was_computed_again_meanwhile_stays(
    full_study: Study, many_series: list[Series], olga: User
) -> None:
    removal = services.remove_from_study(removable("run"), user=olga)
    newer_detection = Detection.objects.create(
        series=many_series[0], detector_key=FIXED, slug="fixed", steady_start=3
    )

    services.restore_removal(removal, user=olga)

    newer_detection.refresh_from_db()
    assert newer_detection.steady_start == 3
    assert Detection.objects.filter(detector_key=FIXED).count() == 4


@pytest.mark.parametrize("kind", KINDS)
def test_of_two_who_remove_it_at_once_one_does(full_study: Study, olga: User, kind: str) -> None:
    first_copy, second_copy = removable(kind), removable(kind)
    services.remove_from_study(first_copy, user=olga)

    with pytest.raises(ValidationError, match="It was removed already"):
        services.remove_from_study(second_copy, user=olga)

    assert Removal.objects.count() == 1


@pytest.mark.parametrize("kind", ["study", "dataset", "recording", "run"])
def test_nothing_is_removed_while_a_run_is_at_work(
    full_study: Study, olga: User, kind: str
) -> None:
    Run.objects.update(state="running", finished=None)

    with pytest.raises(ValidationError, match="Ours is at work: wait until it has ended, or stop"):
        services.remove_from_study(removable(kind), user=olga)

    assert not Removal.objects.exists()


def test_nothing_is_removed_while_a_file_is_imported(full_study: Study, olga: User) -> None:
    Import.objects.create(study=full_study, file_name="x.csv", size=1, state="running")

    with pytest.raises(ValidationError, match=r"x\.csv is being imported"):
        services.remove_from_study(removable("dataset"), user=olga)


def test_what_a_part_belongs_to_comes_back_first(full_study: Study, olga: User) -> None:
    removal = services.remove_from_study(removable("second"), user=olga)
    services.remove_from_study(removable("dataset"), user=olga)

    with pytest.raises(ValidationError, match="It belongs to the data set Nightly"):
        services.restore_removal(removal, user=olga)


def test_a_campaign_comes_back_after_the_series_that_it_asks_about(
    full_study: Study, olga: User, everything_rows: Rows
) -> None:
    rows_before = everything_rows()
    late_removal = services.remove_from_study(removable("late"), user=olga)
    second_removal = services.remove_from_study(removable("second"), user=olga)

    with pytest.raises(ValidationError, match="It belongs to the recording second"):
        services.restore_removal(late_removal, user=olga)
    services.restore_removal(second_removal, user=olga)
    services.restore_removal(late_removal, user=olga)

    assert everything_rows() == rows_before


def test_a_version_that_was_brought_again_is_in_the_way(full_study: Study, olga: User) -> None:
    method = removable("method")
    removal = services.remove_from_study(method, user=olga)
    method.pk, method.public_id = None, "another"
    method.study = full_study
    method.save(force_insert=True)

    with pytest.raises(ValidationError, match="was imported again meanwhile"):
        services.restore_removal(removal, user=olga)


@pytest.mark.parametrize("kind", KINDS)
def test_purging_leaves_nothing_of_it(full_study: Study, olga: User, kind: str) -> None:
    removal = services.remove_from_study(removable(kind), user=olga)

    services.purge_removal(removal, user=olga)

    assert not Study.every.exclude(removed=None).exists()
    assert not RemovedDetection.objects.exists()
    with pytest.raises(ValidationError, match="restored or purged already"):
        services.restore_removal(removal, user=olga)


def test_a_purged_data_set_takes_the_recordings_removed_before(
    full_study: Study, olga: User, everything_rows: Rows
) -> None:
    removal = services.remove_from_study(removable("second"), user=olga)
    services.purge_removal(services.remove_from_study(removable("dataset"), user=olga), user=olga)

    services.restore_removal(removal, user=olga)  # as a data set of its own

    assert Dataset.objects.get(study=full_study).recordings.get().label == "second"
    assert Series.objects.visible_to(olga).count() == 2
    assert Campaign.objects.get(study=full_study, slug="late").tasks.count() == 2


def test_purging_a_study_purges_what_was_removed_from_it(full_study: Study, olga: User) -> None:
    services.remove_from_study(removable("second"), user=olga)

    services.purge_removal(services.remove_from_study(full_study, user=olga), user=olga)

    assert (Study.every.count(), Series.objects.count(), Removal.objects.count()) == (0, 0, 0)


def test_what_is_kept_longer_than_thirty_days_goes_by_itself(full_study: Study, olga: User) -> None:
    removal, new_removal = (
        services.remove_from_study(removable("late"), user=olga),
        services.remove_from_study(removable("run"), user=olga),
    )
    Removal.objects.filter(pk=removal.pk).update(when=timezone.now() - KEPT - timedelta(minutes=1))

    call_command("sweep", stdout=StringIO())

    assert list(Removal.objects.restorable()) == [new_removal]
    assert not Campaign.objects.filter(slug="late").exists()


def test_removed_values_take_room_until_they_are_purged(full_study: Study, olga: User) -> None:
    bytes_before = quota.stored_bytes(full_study)
    removal = services.remove_from_study(removable("dataset"), user=olga)

    assert quota.stored_bytes(full_study) == bytes_before > 0
    services.purge_removal(removal, user=olga)
    assert quota.stored_bytes(full_study) == 0


def second_pass_and_training(study: Study) -> None:
    """The first campaign has a second pass; the later one a training, and follows a screening."""
    fields = {"study": study, "state": "open"}
    campaign = removable("campaign")
    Campaign.objects.create(name="Pass", slug="pass", purpose="repeat", repeats=campaign, **fields)
    training = Campaign.objects.create(name="Drill", slug="drill", purpose="training", **fields)
    screening = Campaign.objects.create(name="Seen", slug="seen", purpose="screening", **fields)
    Campaign.objects.filter(slug="late").update(training=training, follows=screening)


@pytest.mark.parametrize("slug", ["first-look", "pass", "late", "drill", "seen"])
def test_campaigns_that_know_of_one_another_do_again(
    full_study: Study, olga: User, everything_rows: Rows, slug: str
) -> None:
    second_pass_and_training(full_study)
    rows_before = everything_rows()

    removal = services.remove_from_study(Campaign.objects.get(slug=slug), user=olga)

    remaining_campaigns = Campaign.objects.filter(study=full_study)
    gone_campaigns = Campaign.objects.exclude(study=full_study)
    assert not remaining_campaigns.filter(training__in=gone_campaigns).exists()
    assert not gone_campaigns.filter(repeats__in=remaining_campaigns).exists()
    assert not gone_campaigns.filter(follows__in=remaining_campaigns).exists()
    services.restore_removal(removal, user=olga)
    assert everything_rows() == rows_before


def test_what_followed_a_removed_screening_still_marks_the_steady(
    client: Client, full_study: Study, olga: User
) -> None:
    second_pass_and_training(full_study)
    services.remove_from_study(Campaign.objects.get(slug="seen"), user=olga)
    client.force_login(olga)

    assert removable("late").marks_the_steady()
    assert "Seen" not in client.get(removable("late").get_absolute_url()).content.decode()


def test_activity_tells_of_removals(full_study: Study, olga: User) -> None:
    services.restore_removal(services.remove_from_study(removable("late"), user=olga), user=olga)
    services.purge_removal(services.remove_from_study(removable("run"), user=olga), user=olga)

    lines = [(line.person, line.event) for line in reads.activity(full_study)]

    for line in (
        "removed the campaign Late",
        "restored the campaign Late",
        "removed the run Ours",
        "purged the run Ours",
    ):
        assert ("olga", line) in lines


def test_a_yardstick_goes_with_its_campaign(full_study: Study, olga: User) -> None:
    campaigns.close(removable("late"), by=olga)
    codes = [yardstick.code for yardstick in yardsticks.yardsticks_of(full_study)]
    services.remove_from_study(removable("late"), user=olga)

    codes_afterwards = [yardstick.code for yardstick in yardsticks.yardsticks_of(full_study)]

    assert "campaign:late" in codes
    assert "campaign:late" not in codes_afterwards


def test_benchmarks_show_what_is_there(full_study: Study, olga: User) -> None:
    services.remove_from_study(removable("second"), user=olga)

    names = Benchmark.objects.filter(dataset__study=full_study).values_list(
        "name", "shown__recording__label"
    )

    assert sorted(names) == [("org.example.Both", "first"), ("org.example.First", "first")]
