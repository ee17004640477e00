"""What `make run` starts: everything that Plateau needs on one machine, and stops again.

Broker, database, static files, demo, web server, worker, in this order; on
Ctrl-C all of it ends in the reverse order. Nothing outlives the launcher.
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
from pathlib import Path
from shlex import quote

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from config import broker, environment, installation, processes
from config.processes import Child

MOST_WORKER_PROCESSES = 4
LIVED = 5.0  # seconds after which a worker that died is started again; sooner, it never will run
STARTING = 60.0  # seconds that the web server may take until its first answer


class Trouble(Exception):
    """Plateau cannot start or go on; the message says why and what to do."""


class Launcher:
    """Starts the parts of one installation, watches them, and stops them."""

    def __init__(self, host: str, port: int, *, demo: bool = True) -> None:
        self.host, self.port, self.demo = host, port, demo
        self.data = environment.DATA
        self.children: dict[str, Child] = {}
        self.worker_since = 0.0
        self.stopping = threading.Event()

    @property
    def url(self) -> str:
        shown = "127.0.0.1" if self.host in {"0.0.0.0", "::", ""} else self.host  # noqa: S104
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{self.port}/"

    def run(self) -> None:
        self.data.mkdir(parents=True, exist_ok=True)
        lock = installation.Lock(self.data)
        lock.take(self.url)
        try:
            self._stop_on_signals()
            self._start_all()
            self._watch()
        finally:
            self._stop_all()
            lock.release()

    def run_worker(self) -> None:
        """Only a worker, on whatever database and broker the settings name."""
        try:
            self._stop_on_signals()
            environment.read_written_down()
            self._start_worker(f"extra-{os.getpid()}")
            print("A worker runs; stop it with Ctrl-C.", flush=True)
            self._watch()
        finally:
            self._stop_all()

    # --- starting -----------------------------------------------------------------------------

    def _start_all(self) -> None:
        self._refuse_taken_port()
        where = broker.socket_for(self.data)
        installation.write_down_settings(environment.WRITTEN_DOWN, socket=where)
        environment.read_written_down()
        os.environ["PLATEAU_DATA"] = str(self.data)
        if not os.environ.get("REDIS_URL"):
            self._start_broker(Path(os.environ.setdefault("PLATEAU_BROKER_SOCKET", str(where))))
        self._prepare()
        if self.stopping.is_set():
            return
        web = self._start_web()
        self._make_demo()  # while the web server loads
        self._start_worker("w")
        self._announce(web)

    def _refuse_taken_port(self) -> None:
        if _is_free(self.host, self.port):
            return
        other = next(
            (n for n in range(self.port + 1, self.port + 100) if _is_free(self.host, n)), 0
        )
        raise Trouble(
            f"Port {self.port} is taken by another program. "
            f"Choose another one: make run PORT={other or 'number'}"
        )

    def _start_broker(self, where: Path) -> None:
        folder = self.data / "broker"
        folder.mkdir(mode=0o700, exist_ok=True)
        where.unlink(missing_ok=True)  # left behind by a server that was killed
        command = broker.command(broker.server_program(), socket=where, folder=folder)
        child = self._start("broker", command, patience=5)
        self._wait(child, lambda: _listens(where), limit=10)

    def _prepare(self) -> None:
        django.setup()
        first = not (self.data / "static.stamp").exists()
        if first:
            print("First start: preparing database, pages and kernels. This takes a minute.")
        installation.bring_up_to_date(self.data, environment.ROOT / "static")
        if first:
            self._warm()

    def _make_demo(self) -> None:
        """What is there stays; passwords are printed, and that only in development."""
        if self.demo and os.environ.get("PLATEAU_MODE") == "development":
            call_command("demo")
            sys.stdout.flush()

    def _warm(self) -> None:
        """Compile the kernels once, or each worker process would do it for itself."""
        child = self._start(
            "warm", [sys.executable, "-c", "from detectors.warm import warm; warm()"], patience=1
        )
        while child.alive and not self.stopping.wait(0.1):
            pass
        self.children.pop("warm")
        processes.stop([child])

    def _start_web(self) -> Child:
        command = [
            *(sys.executable, "-m", "gunicorn", "config.wsgi"),
            *("--config", "python:config.web", "--bind", f"{self.host}:{self.port}"),
        ]
        return self._start("web", command, patience=5)

    def _announce(self, web: Child) -> None:
        self._wait(web, lambda: _answers(f"{self.url}health/"), limit=STARTING)
        if not self.stopping.is_set():
            print(f"Commands in another terminal: {_first_words(self.data)}")
            print(f"Logs: {self.data / 'logs'}. Stop everything with Ctrl-C.")
            print(f"Plateau runs at {self.url}", flush=True)

    def _start_worker(self, name: str) -> None:
        count = min(os.cpu_count() or 1, MOST_WORKER_PROCESSES)
        command = [
            *(sys.executable, "-m", "celery", "--quiet", "-A", "config", "worker"),
            *("-n", f"{name}@%h", "-c", str(count), "--loglevel", "WARNING"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        ]
        self.worker_since = time.monotonic()
        # A chunk that takes longer is cut off: the next worker in its place takes it again.
        self._start("worker", command, patience=3)

    def _start(self, name: str, command: list[str], *, patience: float) -> Child:
        log = self.data / "logs" / f"{name}.log"
        child = processes.start(name, command, log=log, patience=patience, extra={})
        self.children[name] = child
        return child

    def _wait(self, child: Child, ready: Callable[[], bool], *, limit: float) -> None:
        deadline = time.monotonic() + limit
        while not ready():
            if self.stopping.wait(0.05):
                return
            if not child.alive:
                raise Trouble(f"The {child.name} ended at once:\n{child.tail()}")
            if time.monotonic() > deadline:
                raise Trouble(f"The {child.name} did not answer in {limit:.0f} s; see {child.log}")

    # --- running ------------------------------------------------------------------------------

    def _stop_on_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: self.stopping.set())

    def _watch(self) -> None:
        while not self.stopping.wait(0.3):
            for child in [each for each in self.children.values() if not each.alive]:
                self._mourn(child)

    def _mourn(self, child: Child) -> None:
        """A worker may be killed, and the next one takes its chunks; others are needed."""
        if child.name != "worker" or time.monotonic() - self.worker_since < LIVED:
            raise Trouble(
                f"The {child.name} ended unexpectedly; everything was stopped.\n{child.tail()}"
            )
        print("The worker was killed; starting another. No result is lost.", file=sys.stderr)
        processes.stop([child])
        self._start_worker("w")

    # --- stopping -----------------------------------------------------------------------------

    def _stop_all(self) -> None:
        if self.children and self.stopping.is_set():
            print("\nStopping …", flush=True)
        order = [self.children.pop(n) for n in ("warm", "web", "worker") if n in self.children]
        processes.stop(order)
        if "broker" in self.children:
            installation.close_database()
            processes.stop([self.children.pop("broker")])


def _first_words(data: Path) -> str:
    """What to type before `python manage.py …` finds its packages and this data folder."""
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


def _answers(url: str) -> bool:
    """Whether a web server answers there, be it with an error page."""
    try:
        with urllib.request.urlopen(url, timeout=5):  # noqa: S310  # our own address
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m config.launch", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--worker-only", action="store_true")
    parser.add_argument("--no-demo", action="store_true", help="start without demo data")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    launcher = Launcher(options.host, options.port, demo=not options.no_demo)
    try:
        launcher.run_worker() if options.worker_only else launcher.run()
    except (Trouble, broker.NoBroker, installation.Occupied, ImproperlyConfigured) as trouble:
        print(trouble, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
