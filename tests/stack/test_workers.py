"""Runs on real workers: finished, killed in the middle, delivered too often, forgotten.

And what else takes a real database: locks, and imports by a process of their own. To start a worker
takes seconds: it works on in the tests that follow, until one of them needs it killed or ended.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from evidence.bench.processes import stop_process, wait_until
from tests.every_case import EVERY_CASE
from tests.stack.conftest import SERIES
from tests.stack.installation import StackInstallation

SLOW = "ruptures-pelt@1?cost=normal&penalty=200&min_size=100&jump=20"
FAST = "fixed@1?iteration=500"
GRID = {
    "kind": "grid",
    "method": "fixed",
    "yardstick": "known",
    "weight.mean_abs": "1",
    "vary.iteration": "on",
    "low.iteration": "2",
    "high.iteration": "6",
    "levels.iteration": "3",
}
IMPORTED = 150_000  # values of each of four series, 5 MB: storing them here would take 18
GROWN = 10_000_000  # bytes by which the process that begins an import may grow
# Seconds: several times what a page gives a broker (`settings.BROKER_PATIENCE`).
ASKED_IN_VAIN = 15.0


POSTGRES_FIRST = ["on_postgres", *["on_sqlite"] * EVERY_CASE]
SQLITE_FIRST = ["on_sqlite", *["on_postgres"] * EVERY_CASE]
"""Installations of tests that ask both for the same: `make test` asks one."""


@pytest.fixture(params=["on_postgres", "on_sqlite"])
def installation(request: pytest.FixtureRequest) -> StackInstallation:
    stack_installation: StackInstallation = request.getfixturevalue(request.param)
    return stack_installation


def test_a_broker_that_forgets_everything_loses_nothing(installation: StackInstallation) -> None:
    """Of a run as of a search: each is sent again when its own page looks at it."""
    installation.end_workers()
    installation.do("know")
    search = _answer(installation, "post", "runs/sensitivity/new/", GRID)["at"].split("/")[-2]
    jobs = {"run": installation.do("start", FAST), "exploration": search}
    assert installation.do("forget") > 0

    installation.start_worker("late", processes=2)
    wait_until(lambda: "late-1" in installation.do("page", search)["workers"], goal="the worker")
    units_by_kind = {kind: installation.do("units", job) for kind, job in jobs.items()}

    for kind, job in jobs.items():
        assert {state for state, *_ in units_by_kind[kind]} == {"done"}
        assert {worker.partition("-")[0] for _, _, worker, *_ in units_by_kind[kind]} == {"late"}
        assert installation.do("page", job)["done"] == installation.do("page", job)["total"] > 0


def test_a_worker_killed_in_the_middle_loses_nothing_and_doubles_nothing(
    installation: StackInstallation,
) -> None:
    first = installation.worker()
    run = installation.do("start", SLOW)

    at_work = installation.do("kill_in_the_middle", run, str(first.pid))
    state_before = installation.do("page", run)
    installation.start_worker("second")
    after = installation.do("watch", run)

    (killed_name,) = {name.partition("-")[0] for name in at_work}
    assert 0 < state_before["done"] < SERIES
    # Two attempts at what the first had in hand; a machine that stalls may need a third.
    assert after["most_attempts"] >= 2
    assert {name: after[name] for name in after if name not in {"workers", "most_attempts"}} == {
        "state": "done",
        "chunks": ["done"],
        "done": SERIES,
        "failed": 0,
        "detections": SERIES,
        "pairs": SERIES,
    }
    assert {name.partition("-")[0] for name in after["workers"]} == {killed_name, "second"}
    assert installation.do("compare", SLOW) == {"wrong": [], "compared": SERIES}

    # Every message three times more.
    installation.do("deliver_again", run)
    installation.do("drain")
    second_state = installation.do("watch", run)
    assert second_state == after


STOP_CASE = ("stop", "stopped", [["done", 1, 1], ["stopped", 1, 0]])
LEAVE_OUT_CASE = ("leave out", "done", [["done", 0, 0], ["done", 1, 1]])
# The loop is in a process that knows neither database: each takes one of the two ways.
INTERRUPT_CASES = [("on_postgres", *STOP_CASE), ("on_sqlite", *LEAVE_OUT_CASE)]
INTERRUPT_CASES += [("on_postgres", *LEAVE_OUT_CASE), ("on_sqlite", *STOP_CASE)] * EVERY_CASE


@pytest.mark.parametrize(
    ("installation", "how", "state", "units"), INTERRUPT_CASES, indirect=["installation"]
)
def test_a_compiled_loop_that_nobody_wants_ends_with_its_process(
    installation: StackInstallation, how: str, state: str, units: list[list[object]]
) -> None:
    installation.worker()

    assert installation.do("interrupt", how) == {
        "state": state,
        "units": units,
        "answers": ["short"],
    }


@pytest.mark.parametrize("installation", SQLITE_FIRST, indirect=True)
def test_a_broker_that_hangs_keeps_nobody_waiting_and_loses_nothing(
    installation: StackInstallation,
) -> None:
    """Stopped by a signal, it takes connections and never answers: pages as little as a worker."""
    installation.worker()
    installation.do("know")
    with stop_process(installation.do("broker_process")):
        start = {"dataset": "noise", "methods": "fixed", "fixed.iteration": "700"}
        run = _answer(installation, "post", "runs/new/", start)["at"].split("/")[-2]
        search = _answer(installation, "post", "runs/sensitivity/new/", GRID)["at"].split("/")[-2]
        _answer(installation, "post", "comparison/report/?y=known")
        report = installation.do("newest_report")
        for page in (f"runs/{run}/", f"runs/sensitivity/{search}/", f"reports/{report}/button/"):
            _answer(installation, "get", page)
        assert installation.do("ask", "get", "/health/")["status"] == 503
        assert installation.do("ask", "get", "/status/")["status"] == 200
        _answer(installation, "post", "import/", {"numbers": "1 2 3"})
        _answer(installation, "post", f"runs/{run}/cancellation/")
        _answer(installation, "post", f"runs/{run}/retry/")

    assert installation.do("watch", run)["done"] == SERIES
    assert installation.do("end_of_exploration", search) == "done"
    assert [state for state, *_ in installation.do("units", report)] == ["done"]
    button = _answer(installation, "get", f"reports/{report}/button/")["text"]
    assert f"reports/{report}/file/" in button


def test_a_database_that_is_gone_is_told_as_busy_and_found_again(
    on_postgres: StackInstallation,
) -> None:
    assert on_postgres.do("ask", "get", "/s/stack/")["status"] == 200

    with no_connections(on_postgres.environment["DATABASE_URL"]):
        reading = on_postgres.do("ask", "get", "/s/stack/")
        writing = on_postgres.do("ask", "post", "/studies/new/", {"name": "Lost"})
        health = on_postgres.do("ask", "get", "/health/")

    assert [(response["status"], response["retry"]) for response in (reading, writing)] == [
        (503, "5")
    ] * 2
    assert (health["status"], json.loads(health["text"])["database"]) == (503, "down")
    assert on_postgres.do("ask", "get", "/s/stack/")["status"] == 200


@contextmanager
def no_connections(url: str) -> Iterator[None]:
    """PostgreSQL ends every connection to the database, and takes no new one."""
    server, _, name = url.rpartition("/")
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
    with psycopg.connect(f"{server}/template1", autocommit=True) as link:
        link.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        link.execute(end, [name])
        try:
            yield
        finally:
            link.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


def _answer(installation: StackInstallation, *request: object) -> dict[str, Any]:
    """A page of the study, which answered in time: a few seconds, not when the broker does."""
    method, address, *fields = request
    response: dict[str, Any] = installation.do("ask", method, f"/s/stack/{address}", *fields)
    assert response["status"] in {200, 302}, response["text"]
    assert response["seconds"] < ASKED_IN_VAIN, address
    return response


def test_a_page_does_not_wait_for_ever_for_a_row(on_postgres: StackInstallation) -> None:
    """PostgreSQL itself would: a few such pages, and nobody is answered any more."""
    outcome = on_postgres.do("sign_in_beside_a_lock")

    assert outcome.pop("sentence").startswith("Plateau is busy. Its database is busy")
    assert outcome == {"status": 503, "retry": "5", "then": 302}


def test_rows_of_a_cursor_are_planned_to_the_last_one(on_postgres: StackInstallation) -> None:
    """A plan for the first tenth took 6.4 s of the cores for a comparison of 12,500 series."""
    expected = {"lock_timeout": "10s", "cursor_tuple_fraction": "1", "jit": "off"}
    assert on_postgres.do("connection_settings") == expected


@pytest.mark.parametrize("installation", POSTGRES_FIRST, indirect=True)
def test_a_large_import_does_not_fill_the_process_that_begins_it(
    installation: StackInstallation,
) -> None:
    outcome = installation.do("import_in_the_background", IMPORTED)

    assert outcome.pop("grown") < GROWN
    assert outcome == {"state": "done", "equal": [True] * 4, "left": []}


@pytest.mark.parametrize("installation", POSTGRES_FIRST, indirect=True)
def test_a_search_whose_worker_is_killed_finds_what_it_would_have_found(
    installation: StackInstallation,
) -> None:
    """Rounds are planned by whichever worker ends the last part, from what is stored alone."""
    early_worker = installation.worker()
    search = installation.do("explore")

    state_before = installation.do("kill_an_exploration", search, str(early_worker.pid))
    installation.start_worker("heir")
    state_after = installation.do("watch_exploration", search)

    assert state_before["planned"] < state_before["wanted"] == 61
    assert state_after == {
        "state": "done",
        "parts": ["done"],
        "failed": 0,
        "complete": 61,
        "same sets": True,
        "same answers": True,
    }

    # Every message three times more.
    unit_rows = installation.do("units", search)
    installation.do("deliver_again", search)
    installation.do("drain")
    assert installation.do("units", search) == unit_rows

    assert "heir-1" in installation.do("page", search)["workers"]
    installation.end_workers()
    assert "heir-1" not in installation.do("page", search)["workers"]


def test_a_copy_of_an_open_series_is_open_in_every_study(installation: StackInstallation) -> None:
    outcome = installation.do("copy")

    assert outcome == {"one group": True, "open": True, "known": True, "another known": False}


def test_of_two_first_accounts_at_once_one_is_made(installation: StackInstallation) -> None:
    outcome = installation.do("first_account_at_once")

    assert outcome == {"made": [False, True], "accounts": 1}


def test_five_people_answer_at_once_and_none_is_missing(installation: StackInstallation) -> None:
    outcome = installation.do("mark_at_once")

    assert outcome == {"marks": 5, "revisions": [1], "complete": True, "steady_start": 102}


SHARE_PROGRAM = "import sys; [print(1 / line.count(','), flush=True) for line in sys.stdin]"


def test_a_step_that_fails_leaves_the_next_one_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "tests.stack.installation.STEPS", (sys.executable, "-S", "-c", SHARE_PROGRAM)
    )
    installation = StackInstallation(tmp_path)

    with pytest.raises(AssertionError, match="share failed"):
        installation.do("share")
    assert [installation.do("share", "a", "b"), installation.do("share", "a")] == [0.5, 1.0]
    installation.close()
