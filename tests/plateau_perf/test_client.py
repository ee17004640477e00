"""The client of an installation, and `plateau push`, against a server that answers over HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from detectors.__main__ import main
from people.models import Membership, Role, Study, User
from people.models.token import SCOPES
from people.tokens import make_token
from plateau_perf import Client, ClientError, client as module
from plateau_perf.push import TOKEN, add_push
from series.models import Series
from tests.formats import hostile

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.0)
    monkeypatch.setattr(module, "ASK_AGAIN", 0.01)


@pytest.fixture
def token(transactional_db: None) -> str:
    study, olga = Study.objects.create(slug="work", name="Work"), User.objects.create(username="o")
    Membership.objects.create(study=study, user=olga, role=Role.OWNER)
    return make_token(study, by=olga, name="Nightly", scopes=SCOPES, days=1)[1]


@pytest.fixture
def plateau(live_server: Any, token: str) -> Client:
    return Client(f"{live_server.url}/", token)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    (tmp_path / "result.json").write_bytes(hostile.jmh())
    return tmp_path / "result.json"


def test_measurements_go_in_and_come_out(plateau: Client, results: Path) -> None:
    push_result = plateau.push(results, dataset="nightly", build="abc", label="night")
    second_push = plateau.push(results, dataset="nightly")

    assert (push_result.state, push_result.error) == ("done", "")
    assert (second_push.id, second_push.new) == (push_result.id, push_result.new)
    assert plateau.study() == ("work", "Work", ["nightly"], [])
    rows = list(plateau.series("nightly"))
    series = list(Series.objects.order_by("pk"))
    assert push_result.new == len(rows) == len(series) > 0
    assert {row["recording"] for row in rows} == {"night"}
    for row, stored_series in zip(rows, series, strict=True):
        assert plateau.values(row["id"]) == stored_series.array().tolist()
    assert len(plateau.trend("nightly")) == Series.objects.values("benchmark").distinct().count()
    assert plateau.detections("nightly", ["kb-kssd"]) == []


def test_every_page_of_series_comes(
    plateau: Client, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plateau.push(results, dataset="nightly")
    series_ids = [row["id"] for row in plateau.series("nightly")]
    monkeypatch.setattr(module, "A_PAGE", 1)

    assert [row["id"] for row in plateau.series("nightly")] == series_ids


def test_a_run_starts_and_is_asked_for(plateau: Client, results: Path) -> None:
    plateau.push(results, dataset="nightly")

    run = plateau.run("nightly", ["fixed?iteration=1"])

    assert (run.total, run.done) == (Series.objects.count(), 0)
    assert plateau.run_state(run.id) == run


@pytest.mark.parametrize(
    ("asked", "status", "word"),
    [
        (lambda plateau, _: plateau.ground_truth("none"), 404, "none"),
        (lambda plateau, file: plateau.push(file, dataset="nightly"), 422, "text without a number"),
        (lambda plateau, _: plateau.run("none", ["kb-kssd"]), 404, "none"),
    ],
)
def test_a_refusal_is_the_sentence_of_the_server(
    asked: Callable[[Client, Path], object], status: int, word: str, plateau: Client, tmp_path: Path
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("no numbers here")

    with pytest.raises(ClientError, match=word) as error:
        asked(plateau, words)

    assert error.value.status == status


def test_a_wrong_token_is_refused(live_server: Any, transactional_db: None) -> None:
    with pytest.raises(ClientError) as error:
        Client(live_server.url, "plateau_wrong").study()

    assert error.value.status == 401


def test_a_folder_of_criterion_goes_in_with_the_names_beside_its_samples(
    live_server: Any, token: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = {"sampling_mode": "Flat", "iters": [1.0] * 20, "times": list(range(100, 120))}
    for name in ("Fib/Iterative", "Fib/Recursive"):
        folder = tmp_path / name / "new"
        folder.mkdir(parents=True)
        (folder / "sample.json").write_text(json.dumps(samples))
        (folder / "benchmark.json").write_text(json.dumps({"group_id": "Fib", "full_id": name}))
    monkeypatch.setenv(TOKEN, token)
    command = ["push", str(tmp_path), "--to", live_server.url, "--dataset", "nightly"]

    assert main(command, extensions=[add_push]) == 0
    assert main(command, extensions=[add_push]) == 0  # known already

    names = Series.objects.order_by("pk").values_list("benchmark__name", flat=True)
    assert list(names) == ["Fib/Iterative", "Fib/Recursive"]


# --- a server that is busy, moved, or none -------------------------------------------------------
Answer = tuple[int, dict[str, str], bytes]
DONE = {"id": "i", "state": "done", "file": "f", "dataset": "d", "new": 1, "known": 0, "error": ""}


@pytest.fixture
def scripted() -> Iterator[tuple[str, list[Answer], list[bytes]]]:
    """An address, the answers that are given there in turn, and the bodies that came."""
    answers: list[Answer] = []
    bodies: list[bytes] = []

    class Scripted(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            status, headers, body = answers.pop(0)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Scripted) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        yield f"http://127.0.0.1:{server.server_port}", answers, bodies
        server.shutdown()


def test_a_busy_server_gets_the_whole_file_again(scripted: Any, results: Path) -> None:
    url, answers, bodies = scripted
    answers += [
        (503, {"Retry-After": "0"}, b""),
        (429, {}, b""),
        (200, {}, json.dumps(DONE).encode()),
    ]

    assert Client(url, "t").push(results, dataset="d").new == 1

    assert bodies == [results.read_bytes()] * 3


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ((301, {"Location": "https://elsewhere.example.org/"}, b""), "moved to https://elsewhere"),
        ((404, {}, b"<html>"), "is this the address"),
    ],
)
def test_another_server_is_told_from_a_plateau(
    answer: Answer, word: str, scripted: Any, results: Path
) -> None:
    url, answers, bodies = scripted
    answers.append(answer)

    with pytest.raises(ClientError, match=word):
        Client(url, "t").push(results, dataset="d")

    assert len(bodies) == 1


def test_nobody_there_is_said(results: Path) -> None:
    with pytest.raises(ClientError, match="no answer") as error:
        Client("http://127.0.0.1:9", "t").study()

    assert error.value.status == 0


# --- the command -------------------------------------------------------------------------------
def push(*arguments: object) -> int:
    return main(["push", *map(str, arguments)], program="plateau", extensions=[add_push])


def test_push_sends_a_folder_and_starts_a_run(
    live_server: Any,
    token: str,
    results: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(TOKEN, token)
    server_options = (
        "--to",
        live_server.url,
        "--dataset",
        "nightly",
        "--measured-at",
        "2026-01-02T03:04:05Z",
    )

    status = push(results.parent, *server_options, "--run", "fixed", "--no-wait")

    summary, run = capsys.readouterr().out.splitlines()
    assert (status, summary) == (0, f"{results}: {Series.objects.count()} new series, 0 known")
    assert f"0 of {Series.objects.count()} answers" in run
    assert (
        Series.objects.filter(recording__measured_at__year=2026).count() == Series.objects.count()
    )


def test_push_goes_on_after_a_file_that_is_refused(
    live_server: Any,
    token: str,
    results: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(TOKEN, token)
    text_path = results.with_name("a.txt")
    text_path.write_text("no numbers here")

    status = push(results.parent, "--to", live_server.url, "--dataset", "nightly")

    refusal, summary = capsys.readouterr().out.splitlines()
    assert (status, refusal.startswith(f"{text_path}: refused: ")) == (1, True)
    assert summary.startswith(f"{results}: ")
    assert Series.objects.exists()


@pytest.mark.parametrize(("given", "word"), [({}, TOKEN), ({TOKEN: "plateau_wrong"}, "token")])
def test_push_says_what_is_missing(
    given: dict[str, str],
    word: str,
    live_server: Any,
    transactional_db: None,
    results: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv(TOKEN, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)

    assert push(results, "--to", live_server.url, "--dataset", "nightly") == 2

    output = capsys.readouterr().err
    assert (word in output, "Traceback" in output) == (True, False)
