"""Events beside a series: imported, placed, replaced, removed, and for whose eyes."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from analysis.event_lanes.reads import MOST_DRAWN, lane_drawings, placed_lanes
from analysis.series_page.event_panel import EventsQuery, neighbourhood
from annotate.models import Annotator, Campaign, Task
from people.models import Study, User
from series.importing.quota import all_quotas, study_quota
from series.models import Dataset, Series, StoredEventLane

# Iterations last 2 s up to iteration 39, then 1 s, and some hundredths (the fixture `series`).
LOG = "[81.500s][gc] GC(0) Pause Young (Allocation Failure) 17M->9M(61M) 900.000ms\n"


@pytest.fixture
def timed_series(series: Series) -> Series:
    series.settings = {"operations_per_iteration": 1}
    series.save()
    return series


def import_text(series: Series, path: Path, **options: object) -> str:
    output = StringIO()
    call_command("import_events", series.public_id, path, stdout=output, stderr=output, **options)
    return output.getvalue()


def log_file(folder: Path, text: str = LOG, name: str = "gc.log") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_an_offset_moves_events_and_is_said(
    timed_series: Series, tmp_path: Path, as_vic: Client
) -> None:
    assumed = import_text(timed_series, log_file(tmp_path))
    import_result = import_text(
        timed_series, log_file(tmp_path), offset=2.0
    )  # the same file: brought up to date

    assert "Assumed: the first iteration begins at 0 s" in assumed
    assert "begins 2 s after the start of the process, as stated" in import_result
    lane = StoredEventLane.objects.get()
    assert (lane.offset, lane.count) == (2.0, 1)
    names = [timed_series.benchmark.dataset.study.slug, timed_series.public_id]
    events_address = reverse("series-events", args=names)
    page = as_vic.get(f"{events_address}?at=38", headers={"HX-Request": "true"}).content.decode()
    assert 'data-event="38–39"' in page
    assert "Import events" not in page
    table = reverse(
        "series-events-file",
        args=[timed_series.benchmark.dataset.study.slug, timed_series.public_id],
    )
    (row,) = as_vic.get(f"{table}?format=json").json()
    assert (row["first_iteration"], row["last_iteration"]) == (38, 39)
    assert (row["clock"], row["file"]) == ("seconds", "gc.log")
    assert (row["start"], row["end"]) == (pytest.approx(80.6), 81.5)
    far_response = as_vic.get(f"{events_address}?at=90&around=5", headers={"HX-Request": "true"})
    assert "data-no-events" in far_response.content.decode()


def test_lanes_with_other_offsets_are_told_apart(timed_series: Series, tmp_path: Path) -> None:
    import_text(timed_series, log_file(tmp_path), offset=2.0)
    import_text(timed_series, log_file(tmp_path, "lane,start\nflush,3\n", "flush.csv"))

    placement = neighbourhood(timed_series, EventsQuery()).placement

    assert placement.startswith("Garbage collection pauses: The first iteration begins 2 s after")
    assert " flush: Assumed: the first iteration begins at 0 s" in placement
    timed_series.settings = {}
    nearby_events = neighbourhood(timed_series, EventsQuery())
    assert "how long an iteration lasts" in nearby_events.placement
    assert nearby_events.outside == ""


def test_a_lane_of_another_file_is_replaced_only_when_asked(
    timed_series: Series, tmp_path: Path
) -> None:
    import_text(timed_series, log_file(tmp_path))
    other_path = log_file(tmp_path, LOG.replace("81.500s", "82.000s"), "other.log")

    with pytest.raises(CommandError):
        import_text(timed_series, other_path)
    with pytest.raises(CommandError, match="expected STUDY/DATASET"):
        import_text(timed_series, other_path, first_fork=1, replace=True)
    assert StoredEventLane.objects.get().file_name == "gc.log"
    import_text(timed_series, other_path, replace=True)
    assert StoredEventLane.objects.get().file_name == "other.log"


@pytest.mark.parametrize(
    ("text", "length", "words"),
    [
        (LOG, {}, "nobody said how long an iteration lasts"),
        (LOG.replace("81.500", "981.500"), {"operations_per_iteration": 1}, "state the offset"),
        ("nothing\n", {"operations_per_iteration": 1}, "columns lane and start"),
    ],
)
def test_refused_and_nothing_stored(
    series: Series, tmp_path: Path, text: str, length: dict[str, int], words: str
) -> None:
    series.settings = length
    series.save()
    err = StringIO()

    with pytest.raises(CommandError):
        call_command("import_events", series.public_id, log_file(tmp_path, text), stderr=err)
    assert words in err.getvalue()
    assert not StoredEventLane.objects.exists()


def test_more_events_than_allowed_name_the_setting(
    timed_series: Series, tmp_path: Path, settings: Any
) -> None:
    settings.IMPORT_MAX_EVENTS, err = 0, StringIO()

    with pytest.raises(CommandError):
        call_command("import_events", timed_series.public_id, log_file(tmp_path), stderr=err)
    assert "raise PLATEAU_MAX_EVENTS" in err.getvalue()


def test_events_count_for_the_quota(timed_series: Series, tmp_path: Path, settings: Any) -> None:
    study = timed_series.benchmark.dataset.study
    stored_before = study_quota(study).stored
    import_text(timed_series, log_file(tmp_path))
    size = StoredEventLane.objects.get().size

    assert study_quota(study).stored == stored_before + size == all_quotas()[0].stored
    settings.STUDY_MAX_BYTES = stored_before + size - 1
    err = StringIO()
    with pytest.raises(CommandError):
        call_command("import_events", timed_series.public_id, tmp_path / "gc.log", stderr=err)
    assert "PLATEAU_STUDY_MB" in err.getvalue()
    assert StoredEventLane.objects.get().size == size  # the lane of before is still there


def test_figures_of_each_iteration_come_from_the_file_of_the_values(
    study: Study, tmp_path: Path
) -> None:
    """Krun counts more cores than a page can draw point by point."""
    n, cores = 2_000, 8
    counts = [[[float(core * n + i) for i in range(n)] for core in range(cores)]]
    key = "fannkuch:HotSpot:default"
    file = tmp_path / "krun.json"
    file.write_text(
        json.dumps({"wallclock_times": {key: [[1.0] * n]}, "core_cycle_counts": {key: counts}})
    )
    call_command("import_series", f"{study.slug}/krun", file, stdout=StringIO())
    series = Series.objects.get()

    assert f"{n * cores:,} events in {cores} lanes" in import_text(series, file).replace(
        "\u2009", ","
    )

    drawings = lane_drawings(placed_lanes(series))
    assert [drawing["label"] for drawing in drawings[:2]] == ["Cycles, core 0", "Cycles, core 1"]
    assert sum(len(drawing["x"]) for drawing in drawings) <= MOST_DRAWN
    assert (drawings[1]["x"][0], drawings[1]["y"][0]) == (0.5, 2000.5)  # cells of two iterations
    around = neighbourhood(series, EventsQuery(at=5, around=1))
    assert (around.rows, around.metrics[1].value, around.metrics[1].median) == ([], 2005, 2005)


def test_owners_import_and_remove_by_page(timed_series: Series, client: Client, olga: User) -> None:
    client.force_login(olga)
    names = [timed_series.benchmark.dataset.study.slug, timed_series.public_id]
    upload = SimpleUploadedFile("gc.log", LOG.encode())
    answer = client.post(
        reverse("series-events-import", args=names), {"file": upload, "offset": ""}, follow=True
    )

    assert "1 events in 1 lane" in answer.content.decode()
    assert '"spans": [[39, 41]]' in answer.content.decode()
    refused_reply = client.post(
        reverse("series-events-import", args=names),
        {"file": SimpleUploadedFile("a.txt", b"x\n"), "offset": ""},
        follow=True,
    )
    assert "Nothing was stored." in refused_reply.content.decode()
    client.post(reverse("series-events-removal", args=names))
    assert not StoredEventLane.objects.exists()


def test_annotators_see_lanes_where_their_campaign_shows_them(
    timed_series: Series, task: Task, tmp_path: Path, client: Client, ana: User
) -> None:
    import_text(timed_series, log_file(tmp_path))
    client.force_login(ana)
    names = [task.campaign.study.slug, "first-look", task.position]
    address = reverse("annotate-events", args=names)
    page = reverse("annotate-task", args=names)

    assert client.get(address).status_code == 404
    assert "annotate-events" not in client.get(page).content.decode()
    Campaign.objects.update(show_events=True)
    assert client.get(address).json()["lanes"][0]["spans"] == [[39, 41]]
    assert "Allocation" not in client.get(address).content.decode()  # no name of an event
    assert "annotate-events" in client.get(page).content.decode()
    assert "event-lanes" not in client.get(timed_series.get_absolute_url()).content.decode()


@pytest.fixture
def two_forks(timed_series: Series, make_series: Any) -> list[Series]:
    second = make_series(np.ones(120), fork=1, settings=timed_series.settings)
    return [timed_series, second]


def test_a_folder_of_logs_goes_to_the_series_that_names_tell(
    two_forks: list[Series], tmp_path: Path
) -> None:
    (tmp_path / "Sort.merge").mkdir()
    for name in ("Sort.merge/fork1.log", "sort-merge_fork2.log", "gc-4711.log", ".hidden.log"):
        log_file(tmp_path, name=name)
    out, dataset = StringIO(), "startup-times/nightly"

    with pytest.raises(CommandError, match="refused: 1 of 3"):
        call_command("import_events", dataset, tmp_path, first_fork=1, stdout=out)

    first, second = two_forks
    lines = out.getvalue().splitlines()
    assert "the number behind the word fork is the fork" in lines[0]
    assert lines[1].startswith(f"Sort.merge/fork1.log → {first}: log of a Java")
    assert lines[2].startswith("gc-4711.log → no series: gc-4711.log, name of the file")
    assert lines[3].startswith(f"sort-merge_fork2.log → {second}: ")
    assert lines[4] == "2 of 3 files were imported, beside 2 of 2 series."
    assert [lane.series for lane in StoredEventLane.objects.all()] == two_forks


def test_two_folders_with_the_same_names_count_as_files_of_their_own(
    two_forks: list[Series], tmp_path: Path
) -> None:
    for folder, text in (("gc", LOG), ("flush", "lane,start\nflush,3\n")):
        (tmp_path / folder).mkdir()
        log_file(tmp_path / folder, text, "sort.merge-fork0.log")
    out, folders = StringIO(), [tmp_path / "gc", tmp_path / "flush"]

    call_command("import_events", "startup-times/nightly", *folders, stdout=out)

    assert "2 of 2 files were imported, beside 1 of 2 series." in out.getvalue()


def test_forks_counted_from_another_number_store_nothing(
    two_forks: list[Series], tmp_path: Path
) -> None:
    for name in ("sort.merge-fork1.log", "sort.merge-fork2.log"):
        log_file(tmp_path, name=name)
    out = StringIO()

    with pytest.raises(CommandError):
        call_command("import_events", "startup-times/nightly", tmp_path, stdout=out)
    assert "from which number forks are counted" in out.getvalue().replace("\n", " ")
    assert not StoredEventLane.objects.exists()


def test_a_page_imports_files_beside_series_that_its_reader_may_see(
    two_forks: list[Series], make_task: Any, campaign: Campaign, client: Client, olga: User
) -> None:
    hidden, seen = two_forks
    Annotator.objects.create(campaign=campaign, user=olga, pseudonym="a3")
    make_task(hidden)
    client.force_login(olga)
    address = reverse("dataset-events", args=["startup-times", "nightly"])
    table = (
        "benchmark,fork,lane,start\norg.example.Sort.merge,0,GC,3\norg.example.Sort.merge,1,GC,4\n"
    )
    fields = {"recording": seen.recording_id, "first_fork": 0, "offset": ""}

    assert "id_files" in client.get(address).content.decode()
    Dataset.objects.create(study=campaign.study, name="Empty", slug="empty")
    assert "id_files" not in client.get(address.replace("nightly", "empty")).content.decode()
    names = ("sort.merge-fork0.log", "sort.merge-fork1.log", "sort.merge.log")
    uploads = [
        SimpleUploadedFile("a.csv", table.encode()),
        *(SimpleUploadedFile(name, LOG.encode()) for name in names),
    ]
    context = client.post(address, {**fields, "files": uploads}).context

    assert context["sentence"] == "2 of 4 files were imported, beside 1 of 1 series."
    assert [outcome.series for outcome in context["outcomes"]] == [seen, None, seen, None]
    assert "yet to answer" in context["outcomes"][1].sentence
    assert "no number of a fork" in context["outcomes"][3].sentence
    assert context["hidden_count"] == 1
    assert {lane.series for lane in StoredEventLane.objects.all()} == {seen}
    assert "expected 1 to 200" in client.post(address, fields).content.decode()
    make_task(seen)
    upload = SimpleUploadedFile("a.csv", table.encode())
    (outcome,) = client.post(address, {**fields, "files": [upload]}).context["outcomes"]
    assert (outcome.series, "yet to answer" in outcome.sentence) == (None, True)
