"""Commands that write, each killed at several moments: nothing half is left, the next try ends.

Two databases share one moment of each kind. `make test-every` kills at ten on both of them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest

from evidence.bench.processes import ROOT, processes_with, wait_until
from tests.every_case import EVERY_CASE
from tests.stack.conftest import new_database

MOMENTS: Final = 10  # in `make test-every`
MARKS: Final = "benchmark,fork,annotator,answer,steady_start"
UPLOAD_ID: Final = "anarchive001"
IMPORT_JOB_ID: Final = "animport0001"
SERIES_ID: Final = "aseries00001"
SETTINGS: Final = {
    "PLATEAU_MODE": "development",
    "PYTHONWARNINGS": "ignore",
    "PLATEAU_SECOND_FACTOR": "optional",
    "PLATEAU_OIDC_ISSUER": "https://login.example.org",
    "PLATEAU_OIDC_CLIENT_ID": "plateau",
    "PLATEAU_OIDC_CLIENT_SECRET": "known-to-nobody",
}


@dataclass(frozen=True, slots=True)
class KilledCommand:
    """A command with its arguments, in which names in braces are files of the test.

    start    what is stored before: `empty` has an owner and a member only, `filled` a marked
             campaign and `learned` another one, too
    before   steps of `tests.stack.killing` that each try begins with, before it may be killed
    halfway  commands that leave a state which is whole as well
    resumed  it may stop half-way, and goes on there: its answers are right or missing, and rows
             are not more than at the end
    varying  tables whose rows tell how often it was tried
    output   `file`, `folder` or `database` where it makes one; each file is whole or not there
    """

    command: Sequence[str]
    start: str = "filled"
    before: Sequence[str] = ()
    resumed: bool = False
    varying: Sequence[str] = ()
    halfway: Sequence[Sequence[str]] = ()
    output: str = ""
    repeatable: bool = True  # once it has ended, it ends well again
    most: int = MOMENTS
    kinds: str = "wcf"  # of moments, as `tests.stack.killing` counts them
    shares: Sequence[float] = ()  # of its time, at which it is killed as well

    def __str__(self) -> str:
        return self.command[0]

    def steady_counts(self, stored_counts: dict[str, int]) -> dict[str, int]:
        """Rows by table, but for tables that vary."""
        return {table: count for table, count in stored_counts.items() if table not in self.varying}


METHODS: Final = ("--method", "fixed?iteration=5", "mser")
TWO_RANGES: Final = ("--method", "mser", "--vary", "batch=2:6", "latest=0.3:0.6")
LEARNER: Final = ("--model", "sklearn.naive_bayes:GaussianNB", "--window", "12", "--seeds", "1")
RANGE_OPTIONS: Final = ("--method", "fixed", "--vary")
RUNS: Final = ("analysis_run",)
IMPORT: Final = ("import_series", "startup/nightly", "--owner", "olga")
MOVE_SHARES: Final = (0.3, 0.6) if EVERY_CASE else (0.5,)
COMMANDS: Final = (
    KilledCommand((*IMPORT, "{first}", "{second}"), start="empty", halfway=((*IMPORT, "{first}"),)),
    KilledCommand(("import_marks", "startup/again", "{marks}")),
    KilledCommand(
        (
            *("import_marks", "startup/changes", "{annotations}", "--format", "annotations"),
            "--all-changes",
        ),
        before=("name_series",),
    ),
    KilledCommand(("import_events", SERIES_ID, "{events}"), before=("name_series",)),
    KilledCommand(("import_detections", "startup", "{detections}", "--method", "mine")),
    KilledCommand(("iteration_length", "startup/nightly", "100 ms")),
    KilledCommand(("recompute", "startup/first")),
    KilledCommand(("archive", "startup", "--to", "{output}"), output="file"),
    KilledCommand(
        ("import_archive", "{archive}", "--owner", "olga"), start="empty", repeatable=False
    ),
    KilledCommand(("backup", "{output}"), output="file"),
    KilledCommand(("restore", "{backup}"), start="empty"),
    # Each try makes all tables, which takes seconds.
    KilledCommand(
        ("move", "--to", "{output}"), output="database", kinds="w", most=3, shares=MOVE_SHARES
    ),
    KilledCommand(("move_values", "--to", "folder")),
    KilledCommand(
        ("run", "startup/nightly", *METHODS, "--wait"), resumed=True, repeatable=False, most=5
    ),
    KilledCommand(
        ("tune", "startup/first", *RANGE_OPTIONS, "iteration=5,9,20", "--wait"),
        resumed=True,
        repeatable=False,
    ),
    KilledCommand(
        ("sensitivity", "startup/first", *TWO_RANGES, "--samples", "8", "--wait"),
        resumed=True,
        repeatable=False,
    ),
    # A night that is run once more has another run, with nothing to compute.
    KilledCommand(
        (
            *("nightly", "startup/nightly", "{second}", "--recording", "n2", *METHODS),
            *("--junit", "{output}"),
        ),
        resumed=True,
        varying=RUNS,
        output="file",
        most=5,
    ),
    KilledCommand(("demo",), start="empty", before=("small_demo",), resumed=True, most=5),
    KilledCommand(
        ("train", "classifier", "startup/taught", *LEARNER, "--output", "{output}"),
        start="learned",
        output="folder",
        most=5,
    ),
    KilledCommand(("report", "startup/first", "{output}.zip"), output="file"),
    # Means and ratios that its tables need are stored one after another, for the next to read.
    KilledCommand(
        ("paper", "startup", "--to", "{output}"),
        resumed=True,
        output="file",
        before=("answer_all",),
        most=2,
    ),
    KilledCommand(("staff", "mila"), repeatable=False),
    KilledCommand(("second_factor", "olga", "--remove"), start="empty"),
    KilledCommand(("provider_links", "olga", "--unlink"), start="empty"),
    KilledCommand(("make_token", "startup", "--name", "nightly build"), repeatable=False),
    KilledCommand(("password_link", "mila"), start="empty", repeatable=False),
    KilledCommand(
        ("import_uploaded_archive", UPLOAD_ID),
        start="empty",
        before=("upload_archive",),
        resumed=True,
    ),
    KilledCommand(("check_values", "--delete-orphaned"), before=("leave_values",)),
    KilledCommand(("import_uploads", IMPORT_JOB_ID), before=("confirm_upload",)),
    # Each duty stores by itself what it has done.
    KilledCommand(("sweep",), before=("leave_unit",), resumed=True),
)


class KillingProcess:
    """`tests.stack.killing`, which answers one question at a time."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.stack.killing"],
            cwd=ROOT,
            env={**os.environ, **SETTINGS},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, url: str, data: Path, **question: Any) -> dict[str, Any] | None:
        assert self.process.stdin
        assert self.process.stdout
        message = {"url": url, "data": str(data), **question}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] | None = json.loads(self.process.stdout.readline())
        return answer

    def must(self, url: str, data: Path, **question: Any) -> dict[str, Any]:
        """The answer of what is not killed and not refused."""
        answer = self.ask(url, data, **question)
        assert answer is not None
        assert not answer.get("failed"), answer
        assert not answer.get("refused"), answer
        return answer

    def stored(self, url: str, data: Path) -> dict[str, int]:
        """Rows by table; empty where there are no tables."""
        answer = self.ask(url, data)
        return dict(answer.get("stored", {})) if answer else {}


class KilledInstallation:
    """Databases of one kind: copies of one with an owner, and of one that is filled.

    turn    0 or 1: which of every two moments is its own
    """

    def __init__(
        self,
        killer: KillingProcess,
        folder: Path,
        empty_url: str,
        copy: Callable[[str, str], str],
        blank: Callable[[str], str],
        drop: Callable[[str], object],
        turn: int,
    ) -> None:
        self.turn = turn
        self.killer, self.folder, self.copy, self.blank = killer, folder, copy, blank
        self.numbers, self.drop, self.attempted = count(), drop, list[str]()
        self.files = {name: str(path) for name, path in files(folder).items()}
        killer.must(empty_url, folder, prepare=True)
        url = copy(empty_url, "filled")
        self.databases = {"empty": empty_url, "filled": url}
        for command in (
            (*IMPORT, "{first}"),
            ("import_marks", "startup/first", "{marks}"),
            ("archive", "startup", "--to", "{archive}"),
            ("backup", "{backup}"),
        ):
            self.killer.must(url, self.folder, command=self.words(command))
        url = self.databases["learned"] = copy(url, "learned")
        for command in (
            ("import_series", "startup/learn", "{learn}"),
            ("import_marks", "startup/taught", "{learn_marks}"),
        ):
            self.killer.must(url, self.folder, command=self.words(command))
        self.stored = {name: killer.stored(url, folder) for name, url in self.databases.items()}

    def words(self, command: Sequence[str], **more: str) -> list[str]:
        return [word.format(**self.files, **more) for word in command]

    def started(self, start: str) -> tuple[str, Path]:
        """A copy of a database, and a data folder of its own."""
        data = self.folder / f"data-{next(self.numbers)}"
        data.mkdir()
        self.attempted.append(self.copy(self.databases[start], data.name.replace("-", "_")))
        return self.attempted[-1], data

    def blank_database(self, data: Path) -> str:
        self.attempted.append(self.blank(data.name.replace("-", "_")))
        return self.attempted[-1]

    def drop_attempted(self) -> None:
        """Remove the databases of a command's attempts: a hundred of them have 90,000 files."""
        while self.attempted:
            self.drop(self.attempted.pop())


def files(folder: Path) -> dict[str, Path]:
    """What commands read, and where those that the filled database gives will lie."""
    rows = [f"sort,{fork},{i},{1 + (i < 20)}.{i % 7}" for fork in range(2) for i in range(60)]
    text = "\n".join(["benchmark,fork,iteration,value", *rows]) + "\n"
    benchmarks = ("search", "hash", "parse", "copy", "reverse", "count")
    learn = [
        f"{name},0,{i},{1 + (i < 20)}.{(i + benchmark_index) % 7}"
        for benchmark_index, name in enumerate(benchmarks)
        for i in range(160)  # models read no shorter ones
    ]
    learn_marks = [
        f"{name},0,{annotator},steady,20" for name in benchmarks for annotator in ("a1", "a2", "a3")
    ]
    marks = [
        f"sort,{fork},{annotator},steady,20"
        for fork in range(2)
        for annotator in ("a1", "a2", "a3")
    ]
    content_by_name = {
        "first": text,
        "second": text.replace("sort", "merge"),
        "marks": "\n".join([MARKS, *marks]) + "\n",
        "learn": "\n".join(["benchmark,fork,iteration,value", *learn]) + "\n",
        "learn_marks": "\n".join([MARKS, *learn_marks]) + "\n",
        "events": "lane,iteration,end\ngc,1,2\ngc,3,4\nload,2,9\n",
        "detections": "benchmark,fork,steady_start\nsort,0,20\nsort,1,21\n",
    }
    for name, content in content_by_name.items():
        (folder / f"{name}.csv").write_text(content)
    annotations_path = folder / "annotations.json"
    annotations_path.write_text(json.dumps({SERIES_ID: {"a1": [20], "a2": [21, 40]}}))
    output_paths = {"archive": folder / "archive.zip", "backup": folder / "backup"}
    return {
        **{name: folder / f"{name}.csv" for name in content_by_name},
        "annotations": annotations_path,
        **output_paths,
    }


@pytest.fixture(scope="module")
def killer() -> Iterator[KillingProcess]:
    killer = KillingProcess()
    yield killer
    killer.process.communicate(timeout=20)


@pytest.fixture(scope="module")
def on_sqlite_killed(
    killer: KillingProcess, migrated_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> KilledInstallation:
    folder = tmp_path_factory.mktemp("killed")

    def copy(url: str, name: str) -> str:
        target = folder / f"{name}.sqlite3"
        shutil.copy(url.removeprefix("sqlite:///"), target)
        return f"sqlite:///{target}"

    def blank(name: str) -> str:
        return f"sqlite:///{folder}/made_{name}.sqlite3"

    def drop(url: str) -> None:
        Path(url.removeprefix("sqlite:///")).unlink(missing_ok=True)

    empty_url = copy(f"sqlite:///{migrated_file}", "empty")
    return KilledInstallation(killer, folder, empty_url, copy, blank, drop, turn=0)


@pytest.fixture(scope="module")
def on_postgres_killed(
    killer: KillingProcess, postgres: str, tmp_path_factory: pytest.TempPathFactory
) -> KilledInstallation:
    folder = tmp_path_factory.mktemp("killed")

    def copy(url: str, name: str) -> str:
        return new_database(postgres, f"killed_{name}", template=url.rpartition("/")[2])

    def blank(name: str) -> str:
        return new_database(postgres, f"made_{name}", template="template1")

    def drop(url: str) -> None:
        with psycopg.connect(postgres, autocommit=True) as server:
            server.execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    empty_url = new_database(postgres, "killed_empty")
    return KilledInstallation(killer, folder, empty_url, copy, blank, drop, turn=1)


@pytest.mark.parametrize("killed", COMMANDS, ids=str)
def test_nothing_half_is_left_in_sqlite(
    killed: KilledCommand, on_sqlite_killed: KilledInstallation
) -> None:
    check(killed, on_sqlite_killed)
    on_sqlite_killed.drop_attempted()


@pytest.mark.parametrize("killed", COMMANDS, ids=str)
def test_nothing_half_is_left_in_postgresql(
    killed: KilledCommand, on_postgres_killed: KilledInstallation
) -> None:
    check(killed, on_postgres_killed)
    on_postgres_killed.drop_attempted()


def check(killed: KilledCommand, there: KilledInstallation) -> None:
    """Kill a command at each moment in a copy of its own, look at what is left, and try again."""
    undisturbed = Attempt(killed, there)
    final_answer = undisturbed.run(looks=True)
    assert not final_answer["refused"], final_answer["refused"]
    whole_states = [there.stored[killed.start], final_answer["stored"]]
    whole_states.append(final_answer["begun"]["stored"])
    for command in killed.halfway:
        url, data = there.started(killed.start)
        whole_states.append(there.killer.must(url, data, command=there.words(command))["stored"])
    for fatal in moments(killed, final_answer, (there.turn + COMMANDS.index(killed)) % 2):
        attempt = Attempt(killed, there)
        attempt.run(**fatal)
        assert not processes_with(f"PLATEAU_KILLED={attempt.data}") or attempt.until_alone()
        is_output_whole = attempt.is_output_whole(final_answer)
        second_answer = attempt.run(looks=True)
        check_left(killed, second_answer["left"], whole_states, final_answer, fatal)
        if is_output_whole or attempt.has_nothing_to_do(second_answer["left"], final_answer):
            continue
        assert not second_answer["refused"], (fatal, second_answer["refused"])
        assert killed.steady_counts(second_answer["stored"]) == killed.steady_counts(
            final_answer["stored"]
        ), fatal
        assert second_answer["answers"] == final_answer["answers"], fatal
        assert second_answer["held"] == final_answer["held"] == [], fatal
        assert attempt.leavings() == undisturbed.leavings(), fatal


def check_left(
    killed: KilledCommand,
    left: dict[str, Any],
    whole: Sequence[dict[str, int]],
    final_answer: dict[str, Any],
    fatal: dict[str, float],
) -> None:
    """What a killed command leaves: one of the whole states, or what it can go on with."""
    if not killed.resumed:
        assert left["stored"] in whole, fatal
        return
    assert not set(left["answers"]) - set(final_answer["answers"]), fatal
    more = {
        table for table, count in left["stored"].items() if count > final_answer["stored"][table]
    }
    assert not more, fatal


def moments(
    killed: KilledCommand, final_answer: dict[str, Any], turn: int
) -> list[dict[str, float]]:
    """Moments at which a command is killed.

    In `make test` one of each kind, dealt to the two databases: half of the writes are sent; all
    of them are, and none is kept; the last file is still to get its name. In `make test-every`
    first, last and between, on both. A command that waits for a program is killed at times, too.
    """
    kinds: str = final_answer["moments"]
    timed_kills = [{"fatal_seconds": share * final_answer["seconds"]} for share in killed.shares]
    if EVERY_CASE:
        moment_count, step_count = len(kinds), min(killed.most, MOMENTS) - 1
        numbers = {
            1 + round(step * (moment_count - 1) / step_count) for step in range(step_count + 1)
        }
        return [{"fatal": number} for number in sorted(numbers)] + timed_kills
    numbers_by_kind = [[n for n, k in enumerate(kinds, 1) if k == kind] for kind in killed.kinds]
    kill_points = [
        {"fatal": numbers[len(numbers) // 2 if kind == "w" else -1]}
        for kind, numbers in zip(killed.kinds, numbers_by_kind, strict=True)
        if numbers
    ]
    return (kill_points + timed_kills)[turn::2] or kill_points + timed_kills


class Attempt:
    """One copy of the database, on which the command is tried until it ends."""

    def __init__(self, killed: KilledCommand, there: KilledInstallation) -> None:
        self.killed, self.there = killed, there
        self.url, self.data = there.started(killed.start)
        self.folder = self.data / "output"
        self.folder.mkdir()
        self.output = str(self.folder / "made")
        if killed.output == "database":
            self.output = there.blank_database(self.data)

    def run(self, **limits: float) -> dict[str, Any]:
        words = self.there.words(self.killed.command, output=self.output)
        question = {"command": words, "before": self.killed.before, **limits}
        return self.there.killer.ask(self.url, self.data, **question) or {}

    def until_alone(self) -> bool:
        name = f"PLATEAU_KILLED={self.data}"
        wait_until(lambda: not processes_with(name), seconds=20, goal="its children to end")
        return True

    def is_output_whole(self, final_answer: dict[str, Any]) -> bool:
        """Whether it was killed when what it makes was there."""
        if self.killed.output == "database":
            return self.there.killer.stored(self.output, self.data) == final_answer["stored"]
        return self.killed.output == "file" and Path(self.output).exists()

    def has_nothing_to_do(self, left: dict[str, Any], final_answer: dict[str, Any]) -> bool:
        """Whether it was killed when all was done, so that a second try may be refused."""
        return not self.killed.repeatable and bool(left["stored"] == final_answer["stored"])

    def leavings(self) -> list[str]:
        """Files beside what was asked for, and rows of a database that was made."""
        names = sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))
        if self.killed.output == "database":
            names += map(str, self.there.killer.stored(self.output, self.data).items())
        return names
