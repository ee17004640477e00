"""Launcher of `make run`: starts everything that Plateau needs on one machine, and stops it again.

Broker, database, static files, web server, demo, worker, in this order; then kernels are compiled
beside them. A program that ends is started again; on Ctrl-C all of it ends in the reverse order.
Nothing outlives the launcher.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from shlex import quote

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import OperationalError
from django.db.migrations.exceptions import InconsistentMigrationHistory

from config import broker, environment, garbage, installation, processes
from config.commands import error_sentence
from config.processes import ChildProgram
from config.restarts import KeptProgram
from config.step import step
from people.create_tables import OlderDatabase

MOST_WORKER_PROCESSES = 4


class LaunchError(Exception):
    """Plateau cannot start; the message says why and what to do."""


class StopRequest:
    """Request that everything stops. A signal handler makes it, so it has no lock, as an Event
    has: the code that the signal interrupts may hold that.
    """

    def __init__(self) -> None:
        self.made = False

    def wait(self, seconds: float) -> bool:
        """Wait for the request for at most so many seconds; return whether it was made."""
        if not self.made:
            time.sleep(seconds)
        return self.made


class Launcher:
    """Starts the parts of one installation, keeps them running, and stops them."""

    def __init__(self, host: str, port: int, *, has_demo: bool = True) -> None:
        self.host, self.port, self.demo = host, port, has_demo
        self.data = environment.DATA
        self.kept: dict[str, KeptProgram] = {}  # in the order of their starts
        self.compiling: ChildProgram | None = None
        self.stopping = StopRequest()

    @property
    def url(self) -> str:
        shown_host = "127.0.0.1" if self.host in {"0.0.0.0", "::", ""} else self.host  # noqa: S104
        return f"http://{f'[{shown_host}]' if ':' in shown_host else shown_host}:{self.port}/"

    def run(self) -> None:
        self.data.mkdir(parents=True, exist_ok=True)
        lock = installation.LauncherLock(self.data)
        lock.take(self.url)
        try:
            self._stop_on_signals()
            self._start_all()
            self._watch()
        finally:
            self._stop_all()
            lock.release()

    def run_worker(self) -> None:
        """Run a worker alone, on whatever database and broker the settings name."""
        try:
            self._stop_on_signals()
            environment.take_over_settings()
            self._keep("worker", lambda: self._start_worker(f"extra-{os.getpid()}"))
            print("A worker runs; stop it with Ctrl-C.", flush=True)
            self._watch()
        finally:
            self._stop_all()

    # --- starting -----------------------------------------------------------------------------

    def _start_all(self) -> None:
        """The address comes as soon as pages answer; what none of them needs comes after it."""
        self._refuse_taken_port()
        where = broker.socket_for(self.data)
        installation.write_down_settings(environment.WRITTEN_DOWN, socket=where)
        environment.take_over_settings()
        os.environ["PLATEAU_DATA"] = str(self.data)
        if not os.environ.get("REDIS_URL"):
            socket_path = Path(os.environ.setdefault("PLATEAU_BROKER_SOCKET", str(where)))
            server_path = broker.server_program()
            kept_broker = self._keep("broker", lambda: self._start_broker(server_path, socket_path))
            self._wait(kept_broker, lambda: _listens(socket_path))
        self._prepare()
        web = self._keep("web server", self._start_web)
        if self.demo and os.environ.get("PLATEAU_MODE") == "development":
            with step("Making the demo"):
                call_command("demo", leave_runs=True)
            sys.stdout.flush()
        self._wait(web, _FirstAnswer(f"{self.url}health/").has_answered)
        if not self.stopping.made:
            print(f"Commands in another terminal: {_first_words(self.data)}")
            print(f"Logs: {self.data / 'logs'}. Stop everything with Ctrl-C.")
            print(f"Plateau runs at {self.url}", flush=True)
            self._keep("worker", lambda: self._start_worker("w"))
            self._compile_kernels()

    def _refuse_taken_port(self) -> None:
        if _is_free(self.host, self.port):
            return
        free_port = next(
            (n for n in range(self.port + 1, self.port + 100) if _is_free(self.host, n)), 0
        )
        raise LaunchError(
            f"Port {self.port} is taken by another program. "
            f"Choose another one: make run PORT={free_port or 'number'}"
        )

    def _prepare(self) -> None:
        with step("Loading the application"), garbage.paused_collection():
            django.setup()
        with step("Bringing the database up to date"):
            installation.migrate()
        with step("Compressing style sheets and scripts"):
            installation.collect_static(self.data, environment.ROOT / "static")

    def _wait(self, program: KeptProgram, is_ready: Callable[[], bool]) -> None:
        """Wait for a program as long as it lives: a slow machine needs its time."""
        with step(f"Waiting for the {program.title}"):
            while not is_ready() and not self.stopping.wait(0.05):
                child = program.child
                if not child.alive:
                    raise LaunchError(f"The {program.title} {child.ending}:\n{child.tail()}")

    # --- programs -----------------------------------------------------------------------------

    def _keep(self, title: str, start: Callable[[], ChildProgram]) -> KeptProgram:
        self.kept[title] = KeptProgram(title, start)
        return self.kept[title]

    def _start_broker(self, server_path: Path, socket_path: Path) -> ChildProgram:
        folder = self.data / "broker"
        folder.mkdir(mode=0o700, exist_ok=True)
        socket_path.unlink(missing_ok=True)  # left behind by a server that was killed
        command = broker.broker_command(server_path, socket=socket_path, folder=folder)
        return self._start("broker", command, patience=5)

    def _start_web(self) -> ChildProgram:
        command = [
            *(sys.executable, "-m", "gunicorn", "config.wsgi"),
            *("--config", "python:config.web", "--bind", f"{self.host}:{self.port}"),
        ]
        return self._start("web", command, patience=5)

    def _start_worker(self, name: str) -> ChildProgram:
        """A chunk that outlasts its patience is cut off: the worker in its place takes it again."""
        count = min(os.cpu_count() or 1, MOST_WORKER_PROCESSES)
        command = [
            *(sys.executable, "-m", "celery", "--quiet", "-A", "config", "worker"),
            *("-n", f"{name}@%h", "-c", str(count), "--loglevel", "WARNING"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        ]
        return self._start("worker", command, patience=3)

    def _compile_kernels(self) -> None:
        """Before somebody needs them, with what time the others leave."""
        command = ["nice", "-n", "19", sys.executable, "-m", "detectors.compile_kernels"]
        self.compiling = self._start("kernels", command, patience=1)

    def _start(self, name: str, command: list[str], *, patience: float) -> ChildProgram:
        log = self.data / "logs" / f"{name}.log"
        return processes.start_program(name, command, log=log, patience=patience, environment={})

    # --- running ------------------------------------------------------------------------------

    def _stop_on_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._request_stop)

    def _request_stop(self, *_: object) -> None:
        self.stopping.made = True

    def _watch(self) -> None:
        """Until somebody stops it: whatever ends meanwhile is started again."""
        while not self.stopping.wait(0.3):
            for program in self.kept.values():
                program.look(time.monotonic())
            self._tell_of_kernels()

    def _tell_of_kernels(self) -> None:
        """Say how far compiling is, on one line that is overwritten; only where somebody looks."""
        if self.compiling is None:
            return
        if not self.compiling.alive:
            self.compiling = None
        if sys.stdout.isatty():
            last_line = self.compiling.tail(1) if self.compiling else ""
            print(f"\r\033[K{last_line}", end="", flush=True)

    # --- stopping -----------------------------------------------------------------------------

    def _stop_all(self) -> None:
        if self.kept and self.stopping.made:
            print("\nStopping …", flush=True)
        broker_program = self.kept.pop("broker", None)
        processes.stop([program.child for program in self.kept.values()])
        if self.compiling:
            processes.stop([self.compiling])
        if broker_program:
            installation.close_database()
            processes.stop([broker_program.child])


def _first_words(data: Path) -> str:
    """Words to type before `python manage.py …` finds its packages and this data folder."""
    words = [f"cd {quote(str(environment.ROOT))}", ". .venv/bin/activate"]
    if data != environment.USUAL_DATA:
        words.append(f"export PLATEAU_DATA={quote(str(data))}")
    return " && ".join(words)


def _is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


class _FirstAnswer(threading.Thread):
    """Asks a web server until it answers, be it with an error page, however long it takes."""

    def __init__(self, url: str) -> None:
        super().__init__(name="first answer", daemon=True)
        self.url, self.came = url, threading.Event()
        self.start()

    def has_answered(self) -> bool:
        return self.came.is_set()

    def run(self) -> None:
        while not self._asked():
            time.sleep(0.05)
        self.came.set()

    def _asked(self) -> bool:
        try:
            with urllib.request.urlopen(self.url):  # noqa: S310  # our own address
                return True
        except urllib.error.HTTPError:
            return True
        except (OSError, HTTPException):
            return False


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m config.launch", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--worker-only", action="store_true")
    parser.add_argument("--no-demo", action="store_true", help="start without demo data")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    launcher = Launcher(options.host, options.port, has_demo=not options.no_demo)
    try:
        launcher.run_worker() if options.worker_only else launcher.run()
    except (
        LaunchError,
        broker.BrokerMissing,
        installation.FolderOccupied,
        ImproperlyConfigured,
    ) as trouble:
        print(trouble, file=sys.stderr)
        return 1
    except (OSError, OperationalError, OlderDatabase, InconsistentMigrationHistory) as error:
        if not (sentence := error_sentence(error)):
            raise
        print(sentence, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
