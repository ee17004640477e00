"""What a program gets and brings: the same figures as pages and commands."""

from __future__ import annotations

import csv
import gzip
import io
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from analysis.runs.models import Detection, Run
from annotate.answering.services import save_mark
from annotate.models import Campaign, Task
from api.urls import THROTTLE, api
from people import tokens
from people.models import Study, User
from series.models import Dataset, Import, Series
from tests.analysis.comparison.conftest import answered_tasks, compared_study, four_series, store
from tests.analysis.conftest import few_rank
from tests.api.conftest import Program

__all__ = ["answered_tasks", "compared_study", "few_rank", "four_series", "store"]

JMH = (
    b'[{"benchmark": "org.Sort.quick", "mode": "avgt", "primaryMetric": '
    b'{"scoreUnit": "ms/op", "rawData": [[4.0, 2.5, 2.0], [3.5, 2.25, 2.0]]}}]'
)
MEASUREMENTS = "/api/v1/datasets/nightly/measurements?file=result.json"


def bring(client: Client, data: bytes, address: str = MEASUREMENTS, **how: str):  # type: ignore[no-untyped-def]
    kind = how.get("kind", "application/octet-stream")
    return client.post(address, data, content_type=kind)


def test_a_file_comes_in_and_out_again(study: Study, olga: User, program: Program) -> None:
    client = program(olga)

    import_response = bring(client, JMH, f"{MEASUREMENTS}&build=abc&label=night")

    assert import_response.status_code == 200
    stored_import = import_response.json()
    assert (stored_import["state"], stored_import["new"], stored_import["known"]) == ("done", 2, 0)
    assert client.get(f"/api/v1/imports/{stored_import['id']}").json() == stored_import
    assert client.get("/api/v1/study").json()["datasets"] == ["nightly"]
    page = client.get("/api/v1/datasets/nightly/series?limit=1").json()
    (series_row,) = page["series"]
    assert (series_row["benchmark"], series_row["n"], series_row["recording"]) == (
        "org.Sort.quick",
        3,
        "night",
    )
    next_page = client.get(f"/api/v1/datasets/nightly/series?after={page['next']}").json()
    assert (len(next_page["series"]), next_page["next"]) == (1, "")
    assert client.get(f"/api/v1/series/{series_row['id']}").json()["values"] == [
        0.004,
        0.0025,
        0.002,
    ]
    values_response = client.get("/api/v1/datasets/nightly/values.csv")
    rows = list(csv.DictReader(io.StringIO(values_response.getvalue().decode())))
    assert [row["value"] for row in rows[:3]] == ["0.004", "0.0025", "0.002"]


def test_the_same_file_again_changes_nothing(study: Study, olga: User, program: Program) -> None:
    client = program(olga)
    first = bring(client, gzip.compress(JMH, mtime=0)).json()

    second_response = bring(client, gzip.compress(JMH, mtime=0))

    assert (second_response.status_code, second_response.json()["id"]) == (200, first["id"])
    assert Series.objects.count() == 2
    assert not Import.objects.filter(state=Import.State.UPLOADED).exists()


@pytest.mark.parametrize(
    ("data", "kind", "status", "word"),
    [
        (b"no numbers here", "application/octet-stream", 422, "text without a number"),
        (b"", "application/octet-stream", 422, "an empty file"),
        (b"a=1", "application/x-www-form-urlencoded", 415, "octet-stream"),
    ],
)
def test_what_cannot_be_imported_is_said_and_leaves_nothing(
    data: bytes, kind: str, status: int, word: str, study: Study, olga: User, program: Program
) -> None:
    answer = bring(program(olga), data, kind=kind)

    assert answer.status_code == status
    assert word in answer.json()["sentence"]
    assert not Dataset.objects.exists()
    assert not Import.objects.filter(state=Import.State.UPLOADED).exists()


def test_a_body_beyond_the_limit_is_refused_while_it_is_read(
    study: Study, olga: User, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.measurements.most_bytes", lambda: 10)

    answer = bring(program(olga), JMH)

    assert answer.status_code == 413
    assert answer.json()["sentence"].endswith(
        "at most 10 bytes; split it, or ask whoever runs Plateau to raise PLATEAU_MAX_FILE_MB"
    )
    assert not Import.objects.exists()


@pytest.mark.parametrize(
    ("limit", "most", "name"),
    [
        ("IMPORT_MAX_FILE_BYTES", len(JMH) - 1, "PLATEAU_MAX_FILE_MB"),
        ("IMPORT_MAX_SERIES", 1, "PLATEAU_MAX_SERIES"),
        ("IMPORT_MAX_POINTS", 2, "PLATEAU_MAX_POINTS"),
    ],
)
def test_a_file_beyond_a_limit_names_the_setting(
    study: Study, olga: User, program: Program, settings: Any, limit: str, most: int, name: str
) -> None:
    setattr(settings, limit, most)

    assert f"raise {name}" in bring(program(olga), JMH).json()["sentence"]


def test_a_run_starts_and_says_how_far_it_is(
    study: Study, olga: User, program: Program, four_series: list[Series], store: object
) -> None:
    client, name = program(olga), four_series[0].benchmark.dataset.slug
    address = f"/api/v1/datasets/{name}/runs"

    begun_response = client.post(
        address, {"methods": ["fixed?iteration=7"]}, content_type="application/json"
    )

    assert begun_response.status_code == 202
    assert begun_response.json()["total"] == len(four_series)
    assert client.get(f"/api/v1/runs/{begun_response.json()['id']}").json() == begun_response.json()
    assert Run.objects.get().started_by == olga
    for methods, word in ([["nobody"], "nobody"], [[], "method"]):
        refused_reply = client.post(address, {"methods": methods}, content_type="application/json")
        assert (refused_reply.status_code, word in refused_reply.json()["sentence"]) == (422, True)


def test_results_are_those_of_the_pages(
    compared_study: Campaign, four_series: list[Series], vic: User, program: Program, client: Client
) -> None:
    api_client, name = program(vic, "read"), four_series[0].benchmark.dataset.slug
    client.force_login(vic)
    study = compared_study.study.slug

    rows = api_client.get("/api/v1/comparison").json()["rows"]
    export = client.get(f"/s/{study}/comparison/export/?what=leaderboard&format=json").json()
    detections = api_client.get(f"/api/v1/datasets/{name}/detections").json()["rows"]
    truth_response = api_client.get(f"/api/v1/campaigns/{compared_study.slug}/ground-truth.csv")

    assert rows == export["rows"]
    assert len(rows) > 2
    assert len(detections) == Detection.objects.count()
    assert api_client.get(f"/api/v1/datasets/{name}/detections?method=fixed").json()["rows"]
    assert truth_response.getvalue().decode().startswith("dataset,dataset_name,")
    assert api_client.get(f"/api/v1/datasets/{name}/trend?format=csv").status_code == 200


@pytest.mark.parametrize(
    ("address", "word"),
    [
        ("/api/v1/comparison?what=everything", "leaderboard"),
        ("/api/v1/comparison?y=campaign:nobody", "nobody"),
        ("/api/v1/datasets/nightly/series?limit=0", "limit"),
        ("/api/v1/datasets/nightly/series?after=x", "after"),
        ("/api/v1/datasets/nightly/trend?start=nobody", "nobody"),
        ("/api/v1/datasets/nightly/detections?method=nobody", "nobody"),
    ],
)
def test_what_is_not_understood_is_said(
    address: str, word: str, dataset: Dataset, olga: User, program: Program
) -> None:
    answer = program(olga).get(address)

    assert answer.status_code == 422
    assert word in answer.json()["sentence"]


def test_nothing_to_compare_is_said(study: Study, olga: User, program: Program) -> None:
    answer = program(olga).get("/api/v1/comparison")

    assert (answer.status_code, "ground truth" in answer.json()["sentence"]) == (404, True)


def test_the_document_names_every_operation(client: Client) -> None:
    response = client.get("/api/v1/openapi.json")

    assert response.status_code == 200
    assert (
        response.json()["paths"].keys()
        == api.get_openapi_schema(path_prefix="/api/v1/")["paths"].keys()
    )


def test_more_than_the_limit_waits(
    study: Study, olga: User, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = program(olga)
    monkeypatch.setattr(THROTTLE, "num_requests", 2)

    status_codes = [client.get("/api/v1/study").status_code for _ in range(3)]

    assert status_codes == [200, 200, 429]
    assert program(olga).get("/api/v1/study").status_code == 200  # of the same name
    use_counts = [tokens.recent_request_count(token) for token in study.tokens.order_by("pk")]
    assert use_counts == [2, 1]


@pytest.mark.parametrize("path", ["study", "datasets/{name}/series", "datasets/{name}/detections"])
def test_what_has_not_changed_is_not_sent_again(
    path: str, compared_study: Campaign, four_series: list[Series], vic: User, program: Program
) -> None:
    client, dataset = program(vic, "read"), four_series[0].benchmark.dataset
    address = f"/api/v1/{path.format(name=dataset.slug)}"

    first_reply = client.get(address)
    next_reply = client.get(address, headers={"if-none-match": first_reply.headers["ETag"]})

    assert (first_reply.status_code, next_reply.status_code, next_reply.content) == (200, 304, b"")
    assert "no-cache" in first_reply.headers["Cache-Control"]
    dataset.benchmarks.update(system="renamed")
    dataset.study.campaigns.update(slug="renamed")
    changed_reply = client.get(address, headers={"if-none-match": first_reply.headers["ETag"]})
    assert changed_reply.status_code == 200


def test_ground_truth_of_all_changes_is_a_row_a_change(
    task: Task, campaign: Campaign, ana: User, ben: User, vic: User, program: Program
) -> None:
    Campaign.objects.update(purpose=Campaign.Purpose.CHANGES, params={"eps": 1, "min_samples": 2})
    task.refresh_from_db()
    for person in (ana, ben):
        digest = task.series.digest
        save_mark(task, by=person, client_id=uuid4(), digest=digest, kind="changes", changes=[2])
    api_client, address = program(vic, "read"), f"/api/v1/campaigns/{campaign.slug}/ground-truth"

    (row,) = api_client.get(address).json()["rows"]
    lines = list(csv.DictReader(io.StringIO(api_client.get(f"{address}.csv").getvalue().decode())))

    assert (row["position"], row["people"], row["agreement"]) == (2, 2, "agreed")
    assert [line["position"] for line in lines] == ["2"]


def test_ground_truth_of_a_screening_is_its_majorities_and_of_a_training_none(
    task: Task, campaign: Campaign, ana: User, vic: User, program: Program
) -> None:
    Campaign.objects.update(purpose=Campaign.Purpose.SCREENING)
    task.refresh_from_db()
    save_mark(task, by=ana, client_id=uuid4(), digest=task.series.digest, kind="never")
    Campaign.objects.update(state=Campaign.State.CLOSED)
    api_client, address = program(vic, "read"), f"/api/v1/campaigns/{campaign.slug}/ground-truth"

    row = api_client.get(address).json()["rows"][0]

    assert (row["majority"], row["answer"], row["steady_start"]) == ("never", "never", -1)
    Campaign.objects.update(purpose=Campaign.Purpose.TRAINING)
    assert api_client.get(address).status_code == 404
