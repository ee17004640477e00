"""`make run`: one command starts everything, Ctrl-C ends everything."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config import broker
from evidence.bench.processes import ROOT, children_of, free_port, kill, processes_with, wait_until

HOW_LONG_A_FIRST_START_MAY_TAKE = 240.0
# Each loads what statistics need, at every start again; how many there are is gunicorn's business.
ONE_WEB_PROCESS = {"GUNICORN_CMD_ARGS": "--workers 1"}


class Launched:
    """A launcher on a data folder of its own, and what it has said so far."""

    def __init__(self, data: Path, port: int, log_path: Path, **settings: str) -> None:
        self.data, self.port, self.log_path = data, port, log_path
        environment = {k: v for k, v in os.environ.items() if not k.startswith("DATABASE_URL")}
        environment |= {"PLATEAU_DATA": str(data), "PYTHONUNBUFFERED": "1"} | settings
        environment.pop("DJANGO_SETTINGS_MODULE", None)
        with log_path.open("wb") as sink:
            self.process = subprocess.Popen(
                # The demo is somebody else's test, and most of a first start's time.
                [sys.executable, "-m", "config.launch", "--port", str(port), "--no-demo"],
                cwd=ROOT,
                env=environment,
                stdout=sink,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def text(self) -> str:
        return self.log_path.read_text(encoding="utf-8")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def wait_until_up(self) -> None:
        wait_until(
            lambda: f"Plateau runs at {self.url}" in self.text or self.process.poll() is not None,
            seconds=HOW_LONG_A_FIRST_START_MAY_TAKE,
            goal="the launcher to say where it runs",
        )
        assert self.process.poll() is None, self.text

    def is_well(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}health/", timeout=10) as answer:  # noqa: S310
                return dict(json.load(answer)).items() >= HEALTHY.items()
        except OSError:  # nobody listens, or something is not well
            return False

    def remaining(self) -> dict[int, str]:
        return processes_with(f"PLATEAU_DATA={self.data}")

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=40)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all: the first start prepares it, the others find it prepared."""
    return tmp_path_factory.mktemp("launch")


@pytest.fixture
def prepared(data: Path, tmp_path: Path) -> None:
    """A first start has been, whichever tests have run before."""
    if not (data / "static.stamp").exists():
        first = Launched(data, free_port(), tmp_path / "first.txt")
        first.wait_until_up()
        assert first.stop() == 0


@pytest.fixture(scope="module")
def running(
    data: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], Launched]]:
    """Gives the launcher that runs; where the last one has ended, it starts one: for seconds."""
    started: list[Launched] = []
    folder = tmp_path_factory.mktemp("said")

    def one() -> Launched:
        if not started or started[-1].process.poll() is not None:
            settings = ONE_WEB_PROCESS if started else {}  # the first is as people have it
            log_path = folder / f"{len(started)}.txt"
            started.append(Launched(data, free_port(), log_path, **settings))
            started[-1].wait_until_up()
        return started[-1]

    yield one
    for launched in started:
        if launched.process.poll() is None:
            launched.stop(signal.SIGTERM)
        kill(list(launched.remaining()))


@pytest.fixture
def launched(running: Callable[[], Launched]) -> Launched:
    return running()


def test_everything_starts_and_one_interrupt_ends_everything(launched: Launched) -> None:
    wait_until(launched.is_well, goal="good health")
    roles = " ".join(launched.remaining().values())
    assert launched.text.splitlines()[-1] == f"Plateau runs at {launched.url}"
    assert f"&& export PLATEAU_DATA={launched.data}\n" in launched.text
    assert "gunicorn" in roles
    assert "celery" in roles

    status = launched.stop()

    assert status == 0
    assert launched.remaining() == {}
    assert not (launched.data / "plateau.sqlite3-wal").exists()


@pytest.mark.usefixtures("prepared")
def test_a_second_start_finds_what_the_first_has_made(launched: Launched) -> None:
    settings = (launched.data / "plateau.env").read_text(encoding="utf-8")

    assert "Compressing style sheets" not in launched.text
    assert "PLATEAU_MODE=development" in settings
    assert (launched.data / "plateau.env").stat().st_mode & 0o077 == 0


def test_a_second_launcher_on_the_same_data_says_where_the_first_answers(
    launched: Launched, tmp_path: Path
) -> None:
    second = Launched(launched.data, free_port(), tmp_path / "second.txt")

    assert second.process.wait(timeout=60) == 1
    assert second.text == (
        f"Plateau already runs with this data: {launched.url} (process {launched.process.pid}). "
        "Stop it first, or use another folder: "
        "make run PORT=8001 PLATEAU_DATA=/path/to/folder\n"
    )
    assert launched.process.poll() is None


PROGRAMS = {"broker": "-server ", "web server": "gunicorn", "worker": "-A config worker"}
HEALTHY = {"status": "ok", "database": "ok", "broker": "ok", "workers": "ok"}


@pytest.mark.parametrize("title", PROGRAMS)
def test_a_killed_program_is_started_again(launched: Launched, title: str) -> None:
    wait_until(launched.is_well, goal="good health")
    first = _process(launched, title)
    assert first

    os.kill(first, signal.SIGKILL)

    wait_until(lambda: f"The {title} was killed by signal 9" in launched.text, goal="a word of it")
    wait_until(lambda: _process(launched, title) not in {0, first}, goal="another one")
    wait_until(launched.is_well, goal="good health again")
    assert launched.process.poll() is None


def test_programs_that_are_stopped_for_a_while_are_waited_for(launched: Launched) -> None:
    """As on a machine that gives them no time: nothing is given up, and nothing started twice."""
    wait_until(launched.is_well, goal="good health")
    pids, text_before = {title: _process(launched, title) for title in PROGRAMS}, launched.text
    assert all(pids.values())

    for pid in pids.values():
        os.kill(pid, signal.SIGSTOP)
    time.sleep(2)
    for pid in pids.values():
        os.kill(pid, signal.SIGCONT)

    wait_until(launched.is_well, goal="good health again")
    assert {title: _process(launched, title) for title in PROGRAMS} == pids
    assert launched.text == text_before


def _process(launched: Launched, title: str) -> int:
    """The first process of a program, or 0."""
    command_by_pid = children_of(launched.process.pid)
    return next((pid for pid, command in command_by_pid.items() if PROGRAMS[title] in command), 0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children of a killed parent")
def test_a_killed_launcher_takes_its_children_along(launched: Launched) -> None:
    launched.process.kill()
    launched.process.wait()

    wait_until(lambda: launched.remaining() == {}, goal="children to end")


def test_a_taken_port_is_named_with_the_remedy(tmp_path: Path) -> None:
    with socket.socket() as occupant:
        occupant.bind(("127.0.0.1", 0))
        occupant.listen()
        port = occupant.getsockname()[1]

        launcher = Launched(tmp_path / "data", port, tmp_path / "said.txt")
        status = launcher.process.wait(timeout=60)

    assert status == 1
    sentence = f"Port {port} is taken by another program. Choose another one: make run PORT="
    assert launcher.text.startswith(sentence)
    assert launcher.text.removeprefix(sentence).strip().isdigit()
    assert launcher.remaining() == {}


# --- the broker's program and its address ---------------------------------------------------------


def test_a_socket_lies_beside_the_data_unless_its_path_would_be_too_long(tmp_path: Path) -> None:
    long_folder = tmp_path / ("d" * 120)
    long_folder.mkdir()

    assert broker.socket_for(Path("/srv/plateau")) == Path("/srv/plateau/broker.sock")
    socket_path = broker.socket_for(long_folder)
    assert len(os.fsencode(socket_path)) <= broker.LONGEST_SOCKET_PATH
    assert socket_path.parent.stat().st_mode & 0o777 == 0o700
    assert broker.socket_for(long_folder) == socket_path
    socket_path.parent.rmdir()


def test_the_server_program_is_the_first_that_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server_path = tmp_path / "my-server"
    server_path.write_text("#!/bin/sh\n")
    server_path.chmod(0o755)
    empty_folder = tmp_path / "empty"
    empty_folder.mkdir()
    monkeypatch.setenv("PATH", str(empty_folder))

    program = broker.server_program()
    monkeypatch.setenv("PLATEAU_REDIS_SERVER", str(server_path))

    assert program.name == "valkey-server"
    assert broker.server_program() == server_path
    monkeypatch.setenv("PLATEAU_REDIS_SERVER", "/nowhere/redis")
    with pytest.raises(broker.BrokerMissing, match="found '/nowhere/redis', expected a program"):
        broker.server_program()


def _candidates() -> list[Path]:
    paths = [broker.carried_program()]
    paths += [Path(name) for name in ("/usr/bin/redis-server", "/usr/bin/valkey-server")]
    return [path for path in paths if path and path.exists()]


@pytest.mark.parametrize("program", _candidates(), ids=str)
def test_each_server_program_answers_on_its_socket_alone(program: Path, tmp_path: Path) -> None:
    socket_path = broker.socket_for(tmp_path)
    command = broker.broker_command(program, socket=socket_path, folder=tmp_path)
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(socket_path.exists, seconds=10, goal=f"{program} to listen")
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(socket_path))
            link.sendall(b"PING\r\n")
            assert link.recv(7) == b"+PONG\r\n"
        assert socket_path.stat().st_mode & 0o777 == 0o700
    finally:
        server.terminate()
        server.wait(timeout=10)
