"""Values in the database, in a folder and in a bucket: stored, read, moved, checked, deleted."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.removal.services import purge_removal, remove_from_study
from formats import Measurement
from people.models import User
from series import values_store
from series.importing import services
from series.models import Dataset, ReleasedValues, Series, SeriesValues
from series.values import stored_values
from series.values.read_ahead import AT_ONCE, read_ahead, read_arrays
from series.values_store import PLACES, ValuesDamaged, ValuesMissing, ValuesUnavailable

OUTSIDE = ("folder", "s3")
WHOLE = "0 missing, 0 corrupt, 0 out of reach; 0 orphaned\n"
# The client of the bucket warns of Python versions to come, and leaves sockets to be collected.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def s3_server() -> Iterator[str]:
    """A server that speaks S3, of this process; its address."""
    from botocore import session  # noqa: PLC0415
    from moto.server import ThreadedMotoServer  # noqa: PLC0415  # slow to load

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        # Each client would read a megabyte of descriptions: they share what the first has read.
        patch.setattr(session, "create_loader", cache(session.create_loader))
        yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture(autouse=True)
def stores(
    settings: Any, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of its own, and a bucket where a test is about one."""
    settings.VALUES_FOLDER = tmp_path / "values"
    if "s3" not in request.node.name:
        return
    import boto3  # noqa: PLC0415

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    settings.VALUES_S3_ENDPOINT = request.getfixturevalue("s3_server")
    bucket = f"plateau-{hashlib.sha256(request.node.name.encode()).hexdigest()[:20]}"
    settings.VALUES_BUCKET = f"{bucket}/values"
    boto3.client("s3", endpoint_url=settings.VALUES_S3_ENDPOINT).create_bucket(Bucket=bucket)


def measured_levels(*levels: float) -> Iterator[Measurement]:
    ripple = np.arange(60.0) % 7 * 0.01
    for fork, level in enumerate(levels):
        values = np.asarray(ripple + level)
        yield Measurement(label=f"sort {fork}", benchmark="sort", values=values, fork=fork)


def import_levels(dataset: Dataset, *levels: float) -> list[Series]:
    services.import_measurements(dataset, measured_levels(*levels), "night")
    return list(Series.objects.order_by("fork"))


def kept_digests(place: str) -> set[str]:
    return set(values_store.find_store(place).digests())


def age_releases(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was released has waited long enough."""
    ReleasedValues.objects.update(since=timezone.now() - stored_values.GRACE - timedelta(minutes=1))


def command_status(command: str, *words: str) -> tuple[str, int]:
    output, status = StringIO(), 0
    try:
        call_command(command, *words, stdout=output, stderr=output)
    except SystemExit as ended:
        status = int(str(ended.code))
    return output.getvalue(), status


# --- read ahead ------------------------------------------------------------------------------
@pytest.mark.parametrize("count", [0, 1, 17])
def test_values_outside_are_read_eight_at_a_time(
    count: int, dataset: Dataset, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VALUES_STORE = "folder"
    import_levels(dataset, *range(1, count + 1))
    rows = list(SeriesValues.objects.order_by("pk"))
    barrier, real_read, read_addresses = (
        threading.Barrier(AT_ONCE),
        values_store.read_values,
        list[str](),
    )

    def together(address: str) -> bytes:
        read_addresses.append(address)
        if len(read_addresses) <= count // AT_ONCE * AT_ONCE:
            barrier.wait(20)  # broken unless seven others are on their way, too
        return real_read(address)

    monkeypatch.setattr(values_store, "read_values", together)
    levels_and_reads = [(round(row.array()[0]), len(read_addresses)) for row in read_ahead(rows)]

    assert levels_and_reads == [
        (level, min(-(-level // 8) * 8, count)) for level in range(1, count + 1)
    ]
    assert all(row.ahead is None for row in rows)  # no more than eight are in memory


def test_read_ahead_what_is_missing_is_told_where_it_is_asked_for(
    dataset: Dataset, settings: Any
) -> None:
    settings.VALUES_STORE = "folder"
    import_levels(dataset, 1.0, 2.0, 3.0)
    series = Series.objects.select_related("stored").order_by("fork")
    values_store.delete(str(series[1].stored.address))

    value_by_fork: dict[int, Any] = {}
    for s in read_ahead(series):
        try:
            value_by_fork[s.fork] = s.array()[0]
        except ValuesMissing:
            value_by_fork[s.fork] = "missing"

    assert value_by_fork == {0: 1.0, 1: "missing", 2: 3.0}


@pytest.mark.parametrize("place", ["database", "folder"])
def test_arrays_come_in_the_order_of_their_keys(
    place: str, dataset: Dataset, settings: Any
) -> None:
    settings.VALUES_STORE = place
    keys = [row.pk for row in reversed(import_levels(dataset, 1.0, 2.0, 3.0))]

    arrays = list(read_arrays(keys))

    assert [values.tolist() for values in arrays] == [
        SeriesValues.objects.get(pk=key).array().tolist() for key in keys
    ]
    assert [round(values[0]) for values in arrays] == [3, 2, 1]
    with pytest.raises(ValuesMissing, match="1 series"):
        list(read_arrays([*keys, 10**9]))


# --- stored and read --------------------------------------------------------------------------
@pytest.mark.parametrize("place", PLACES)
def test_values_are_stored_where_the_setting_says(
    place: str, dataset: Dataset, settings: Any
) -> None:
    settings.VALUES_STORE = place

    for series in import_levels(dataset, 1.0, 2.0):
        row = SeriesValues.objects.get(pk=series.pk)
        assert row.array().tolist() == (np.arange(60) % 7 * 0.01 + (1.0 + series.fork)).tolist()
        assert not row.array().flags.writeable
        is_outside = place != "database"
        assert row.address == (f"{place}/{series.digest}" if is_outside else None)
        assert bool(row.data) is not is_outside


@pytest.mark.parametrize("place", OUTSIDE)
def test_the_same_values_lie_there_once(place: str, dataset: Dataset, settings: Any) -> None:
    settings.VALUES_STORE = place

    first_series, second_series = import_levels(dataset, 1.0, 1.0)

    assert first_series.digest == second_series.digest
    assert kept_digests(place) == {first_series.digest}
    assert SeriesValues.objects.filter(address=f"{place}/{first_series.digest}").count() == 2


@pytest.mark.parametrize("place", PLACES)
def test_the_chart_gets_its_bytes(
    place: str, dataset: Dataset, settings: Any, client: Client, olga: User
) -> None:
    settings.VALUES_STORE = place
    (series,) = import_levels(dataset, 1.0)
    client.force_login(olga)

    answer = client.get(reverse("payload", kwargs={"digest": series.digest}))

    assert answer.content == (series.array() / series.scale).astype("<f4").tobytes()


# --- what cannot be read ----------------------------------------------------------------------
@pytest.mark.parametrize("place", OUTSIDE)
def test_missing_and_damaged_values_are_told_and_never_drawn(
    place: str, dataset: Dataset, settings: Any, client: Client, olga: User
) -> None:
    settings.VALUES_STORE = place
    missing_series, damaged_series = import_levels(dataset, 1.0, 2.0)
    values_store.delete(f"{place}/{missing_series.digest}")
    values_store.write_values(f"{place}/{damaged_series.digest}", np.ones(60).tobytes())
    client.raise_request_exception = False
    client.force_login(olga)

    with pytest.raises(
        ValuesMissing, match=f"Values at {place}/{missing_series.digest} are missing"
    ):
        missing_series.array()
    with pytest.raises(ValuesDamaged, match="another digest"):
        damaged_series.array()
    for series, reason in ((missing_series, "are missing"), (damaged_series, "another digest")):
        answer = client.get(reverse("payload", kwargs={"digest": series.digest}))
        assert answer.status_code == 503
        assert answer.headers["Retry-After"]
        assert f"Values at {place}/{series.digest}" in answer.json()["sentence"]
        assert reason in answer.json()["sentence"]


def test_an_s3_bucket_that_is_not_there_is_told(dataset: Dataset, settings: Any) -> None:
    settings.VALUES_STORE = "s3"
    (series,) = import_levels(dataset, 1.0)
    settings.VALUES_BUCKET = "another-bucket"

    with pytest.raises(ValuesUnavailable, match=r"cannot be reached|are missing"):
        series.array()


def test_a_check_says_that_an_s3_bucket_cannot_be_listed(dataset: Dataset, settings: Any) -> None:
    settings.VALUES_BUCKET = "another-bucket"

    text, status = command_status("check_values", "--delete-orphaned")

    assert text.startswith("not listed: ")
    assert "another-bucket cannot" in text
    assert "will be deleted" not in text
    assert status == 1


def test_an_import_into_a_folder_that_refuses_stores_nothing(
    dataset: Dataset, settings: Any, tmp_path: Path
) -> None:
    settings.VALUES_STORE = "folder"
    settings.VALUES_FOLDER = tmp_path / "file" / "values"
    (tmp_path / "file").write_text("no folder")

    with pytest.raises(ValuesUnavailable, match="cannot be reached"):
        import_levels(dataset, 1.0)

    assert not Series.objects.exists()


def test_a_bucket_needs_a_name(settings: Any) -> None:
    settings.VALUES_BUCKET = ""

    with pytest.raises(ImproperlyConfigured, match="set VALUES_BUCKET"):
        values_store.find_store("s3")


# --- moved ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("before", "to"), [(one, other) for one in PLACES for other in PLACES if one != other]
)
def test_moving_changes_where_values_lie_and_nothing_else(
    before: str, to: str, dataset: Dataset, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VALUES_STORE = before
    series = import_levels(dataset, 1.0, 2.0, 2.0)
    values = [s.array().tobytes() for s in series]

    text, status = command_status("move_values", "--to", to)

    assert status == 0
    assert "3 series to move" in text
    assert "3 moved, 0 left" in text
    assert not stored_values.values_elsewhere(to).exists()
    assert [SeriesValues.objects.get(pk=s.pk).array().tobytes() for s in series] == values
    age_releases(monkeypatch)
    stored_values.delete_released_copies()
    if before != "database":
        assert kept_digests(before) == set()
    if to != "database":
        assert kept_digests(to) == {s.digest for s in series}
    assert command_status("check_values") == (f"3 series: {WHOLE}", 0)
    assert "0 series to move" in command_status("move_values", "--to", to)[0]


@pytest.mark.parametrize("to", OUTSIDE)
def test_a_move_that_was_killed_goes_on(
    to: str, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after bytes were copied and before the row names them, in the second part."""
    series = import_levels(dataset, 1.0, 2.0, 3.0)
    monkeypatch.setattr(stored_values, "PART", 1)
    real_switch, calls = stored_values._switch_row, []

    def killed(*given: Any) -> bool:
        calls.append(given)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real_switch(*given)

    monkeypatch.setattr(stored_values, "_switch_row", killed)
    with pytest.raises(KeyboardInterrupt):
        stored_values.move(to)
    monkeypatch.setattr(stored_values, "_switch_row", real_switch)

    assert stored_values.values_elsewhere(to).count() == 2
    assert all(s.array().size == 60 for s in Series.objects.all())
    assert stored_values.move(to) == []
    assert not stored_values.values_elsewhere(to).exists()
    assert kept_digests(to) == {s.digest for s in series}


def test_what_cannot_be_read_stays_and_is_told(dataset: Dataset, settings: Any) -> None:
    settings.VALUES_STORE = "folder"
    missing_series, good_series = import_levels(dataset, 1.0, 2.0)
    place = f"folder/{missing_series.digest}"
    values_store.delete(place)

    text, status = command_status("move_values", "--to", "database")

    assert status == 1
    assert f"series {missing_series.public_id}: Values at {place} are missing; left" in text
    assert "1 moved, 1 left" in text
    assert SeriesValues.objects.get(pk=good_series.pk).data
    assert SeriesValues.objects.get(pk=missing_series.pk).address


# --- checked ----------------------------------------------------------------------------------
@pytest.mark.parametrize("place", PLACES)
def test_every_kind_of_damage_is_found(place: str, dataset: Dataset, settings: Any) -> None:
    settings.VALUES_STORE = place
    missing_series, damaged_series, _ = import_levels(dataset, 1.0, 2.0, 3.0)
    stray_digest = hashlib.sha256(b"stray").hexdigest()
    if place == "database":
        SeriesValues.objects.filter(pk=damaged_series.pk).update(data=b"")
        lines, missing, orphaned = [f"corrupt: series {damaged_series.public_id}"], 0, 0
    else:
        values_store.delete(f"{place}/{missing_series.digest}")
        values_store.write_values(f"{place}/{damaged_series.digest}", b"")
        values_store.write_values(f"{place}/{stray_digest}", b"stray")
        lines = [
            f"missing: series {missing_series.public_id}",
            f"corrupt: series {damaged_series.public_id}",
            f"orphaned: {place}/{stray_digest}",
        ]
        missing, orphaned = 1, 1

    text, status = command_status("check_values")

    assert status == 1
    assert [line for line in lines if line not in text] == []
    summary = f"3 series: {missing} missing, 1 corrupt, 0 out of reach; {orphaned} orphaned"
    assert text.splitlines()[-1] == summary


@pytest.mark.django_db
def test_no_series_no_damage() -> None:
    assert command_status("check_values") == (f"0 series: {WHOLE}", 0)


# --- deleted ----------------------------------------------------------------------------------
@pytest.mark.parametrize("place", OUTSIDE)
def test_a_purge_deletes_what_no_other_series_has(
    place: str, dataset: Dataset, settings: Any, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VALUES_STORE = place
    shared_series, single_series = import_levels(dataset, 1.0, 2.0)
    other_dataset = services.create_dataset(dataset.study, name="Other")
    services.import_measurements(other_dataset, measured_levels(1.0), "night")

    removal = remove_from_study(dataset, user=olga)
    assert kept_digests(place) == {shared_series.digest, single_series.digest}
    purge_removal(removal, user=olga)
    assert stored_values.delete_released_copies() == 0  # an hour has not passed
    assert kept_digests(place) == {shared_series.digest, single_series.digest}
    age_releases(monkeypatch)
    assert stored_values.delete_released_copies() == 1

    assert kept_digests(place) == {shared_series.digest}
    assert not ReleasedValues.objects.exists()
    assert Series.objects.get().array().size == 60


@pytest.mark.parametrize("place", OUTSIDE)
def test_values_that_come_again_are_not_deleted(
    place: str, dataset: Dataset, settings: Any, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VALUES_STORE = place
    import_levels(dataset, 1.0)
    purge_removal(remove_from_study(dataset, user=olga), user=olga)
    second_dataset = services.create_dataset(dataset.study, name="Again")
    services.import_measurements(second_dataset, measured_levels(1.0), "night")
    age_releases(monkeypatch)

    assert stored_values.delete_released_copies() == 0
    assert Series.objects.get().array().size == 60


@pytest.mark.django_db
def test_orphans_are_deleted_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    stray_digest = hashlib.sha256(b"stray").hexdigest()
    values_store.write_values(f"folder/{stray_digest}", b"stray")

    text, status = command_status("check_values", "--delete-orphaned")

    assert (text.splitlines()[-1], status) == ("1 will be deleted in an hour", 0)
    age_releases(monkeypatch)
    assert stored_values.delete_released_copies() == 1
    assert kept_digests("folder") == set()


# --- files ------------------------------------------------------------------------------------
def test_a_file_is_whole_or_not_there(settings: Any) -> None:
    """Many write the same at once, as two imports may."""
    digest = hashlib.sha256(b"values").hexdigest()
    writers = [
        threading.Thread(target=values_store.write_values, args=(f"folder/{digest}", b"values"))
        for _ in range(8)
    ]
    for each in writers:
        each.start()
    for writer in writers:
        writer.join()

    assert values_store.read_values(f"folder/{digest}") == b"values"
    assert [path.name for path in Path(settings.VALUES_FOLDER).rglob("*") if path.is_file()] == [
        digest
    ]


def test_a_backup_says_what_it_lacks(
    dataset: Dataset, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("analysis.site.backup.backup", lambda _: None)
    import_levels(dataset, 1.0)
    assert command_status("backup", str(tmp_path / "one"))[0].count("\n") == 1

    stored_values.move("folder")

    text, _ = command_status("backup", str(tmp_path / "two"))
    assert f"values of 1 series, which lie in the folder {settings.VALUES_FOLDER}" in text
