"""Nights of a build server through real commands: written files to the trend, time and memory.

    python -m evidence.bench.nightly [--benchmarks 10000] [--forks 5] [--nights 2] [--before 0] \
        [--postgres] [--pages]

Each night is a folder of JMH results, 100 benchmarks a file. `import_series`, `run` and `trend` are
started as a person types them; workers compute. With `--postgres`: PostgreSQL and three workers of
a process each; without: SQLite and one worker of two. Seconds are of the clock and of all cores
(user and system) of Plateau's own processes; memory is the most that one of them held, and all of
them at once. The database server's own memory is not in it. Nothing is left behind. With `--before`
so many nights lie between the first and the second, as rows without values
(`evidence.bench.past_nights`). With `--pages` its pages are opened in the end, as
`evidence.bench.large` opens those of a large study.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from evidence.bench import servers
from evidence.bench.processes import ROOT, ProcessWatch
from evidence.bench.timing import machine, parser_of
from formats.markdown import head, row

IN_A_FILE = 100  # benchmarks
METHODS = ("kb-kssd", "plateau")
FIRST_NIGHT = datetime(2026, 1, 1, 2, tzinfo=UTC)
STUDY = "/s/bench/"
PAGES = {
    "study": STUDY,
    "data set": f"{STUDY}data/nightly/",
    "runs": f"{STUDY}runs/",
    "compare": f"{STUDY}comparison/",
    "trend": f"{STUDY}data/nightly/trend/",
    "what to do": f"{STUDY}what-to-do/?data=nightly",
    "costs": f"{STUDY}what-to-do/?data=nightly",
}
HEADS = ("step", "series", "s", "s of cores", "ms a series", "MB, one process", "MB, all")
PAST_CODE = """
from evidence.bench import past_nights
past_nights.write_past_nights({nights})
"""
PAGES_CODE = """
from django.db import connection
from evidence.bench import large, nightly
from people.models import User
large.print_page_times(connection.vendor, User.objects.get(), nightly.STUDY, nightly.PAGES)
"""


def main() -> int:
    parser = parser_of("evidence.bench.nightly", __doc__)
    parser.add_argument("--benchmarks", type=int, default=10_000)
    parser.add_argument("--forks", type=int, default=5)
    parser.add_argument("--nights", type=int, default=2)
    parser.add_argument("--before", type=int, default=0)
    parser.add_argument("--values", type=int, default=3000)
    parser.add_argument("--in-a-file", type=int, default=IN_A_FILE, help="benchmarks of a file")
    parser.add_argument("--methods", nargs="*", default=METHODS)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--pages", action="store_true")
    args = parser.parse_args()
    print(f"Machine: {machine()}\n")
    server_words = (
        "PostgreSQL, Redis, 3 workers" if args.postgres else "SQLite, Redis, 1 worker of 2"
    )
    workers = (1, 1, 1) if args.postgres else (2,)
    print(
        f"{server_words}; {args.benchmarks} benchmarks, {args.forks} forks, {args.values} values:\n"
    )
    with (
        tempfile.TemporaryDirectory(prefix="plateau-nightly-") as folder,
        nightly_installation(Path(folder), workers, on_postgres=args.postgres) as installation,
    ):
        print(head(*HEADS))
        _measure_night(installation, 0, args)
        if args.before:
            past_code = PAST_CODE.format(nights=args.before)
            installation.manage("shell", "--no-imports", "-c", past_code)
        for night in range(1, args.nights):
            _measure_night(installation, args.before + night, args)
        print(f"\nDatabase: {installation.database_bytes() / 1e6:,.0f} MB", flush=True)
        if args.pages:
            installation.manage("collectstatic", "--no-input", "--verbosity", "0")
            print(f"\n{head('database', 'reader', 'page', 'first, s', 'again, s', 'kB')}")
            print(installation.manage("shell", "--no-imports", "-c", PAGES_CODE), flush=True)
    return 0


def _measure_night(installation: NightlyInstallation, night: int, options: Any) -> None:
    files = installation.data / f"night-{night}"
    write_night(files, night, options)
    series, label, target = (
        options.benchmarks * options.forks,
        f"night {night + 1}",
        "bench/nightly",
    )
    night_text = (FIRST_NIGHT + timedelta(days=night)).isoformat()
    recording_options = ("--recording", label, "--measured-at", night_text)
    installation.step(
        f"{label}, import", series, "import_series", target, str(files), *recording_options
    )
    if options.methods:
        methods = [word for slug in options.methods for word in ("--method", slug)]
        run_options = (*methods, "--recording", label)
        installation.step(f"{label}, run", series, "run", target, *run_options, "--wait")
    trend_options = ("--format", "csv", "--output", str(installation.data / "trend.csv"))
    installation.step(f"{label}, trend", series, "trend", target, *trend_options)
    for file in files.iterdir():
        file.unlink()


# --- files ----------------------------------------------------------------------------------------
def write_night(folder: Path, night: int, options: Any) -> None:
    """JMH's JSON: a warm-up that ends somewhere, then noise; one in 50 gets 10 % slower."""
    folder.mkdir()
    random = np.random.default_rng(night)
    for first in range(0, options.benchmarks, options.in_a_file):
        numbers = range(first, min(first + options.in_a_file, options.benchmarks))
        entries = [
            _entry(number, random, night, options.forks, options.values) for number in numbers
        ]
        text = json.dumps(entries)
        (folder / f"part-{first // options.in_a_file:04}.json").write_text(text, encoding="utf-8")


def _entry(
    number: int, random: np.random.Generator, night: int, forks: int, n: int
) -> dict[str, Any]:
    level = 1.1 if number % 50 == 0 and night else 1.0
    warm_up_ends = random.integers(0, n // 2, forks)
    slowdown = np.where(np.arange(n) < warm_up_ends[:, None], 1.5, 1.0)
    values = np.round(level * slowdown + random.exponential(0.02, (forks, n)), 6)
    metric = {"scoreUnit": "ms/op", "rawData": values.tolist()}
    fields = {"benchmark": f"org.example.Bench{number}.work", "mode": "ss", "forks": forks}
    return {**fields, "measurementIterations": n, "primaryMetric": metric}


# --- an installation ------------------------------------------------------------------------------
@dataclass
class NightlyInstallation:
    """Settings that name a database and a broker, and commands that are watched."""

    data: Path
    settings: dict[str, str]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def manage(self, *arguments: str) -> str:
        """Run it; what it printed."""
        command = [sys.executable, "manage.py", *arguments]
        process = subprocess.run(
            command,
            check=False,
            cwd=ROOT,
            env=os.environ | self.settings,
            capture_output=True,
            text=True,
        )
        if process.returncode:
            raise SystemExit(
                f"{arguments[0]} failed: {process.stderr[-2000:] or process.stdout[-2000:]}"
            )
        return process.stdout

    def step(self, name: str, series: int, *arguments: str) -> None:
        """Run the command and print a row of the table."""
        with ProcessWatch(f"PLATEAU_DATA={self.data}") as watch:
            began_at = time.perf_counter()
            self.manage(*arguments)
            seconds = time.perf_counter() - began_at
        milliseconds_per_series = f"{1e3 * watch.seconds / series:.2f}"
        memory = (f"{most_bytes / 1e6:.0f}" for most_bytes in (watch.one, watch.all))
        times = (f"{seconds:.1f}", f"{watch.seconds:.1f}", milliseconds_per_series)
        print(row(name, series, *times, *memory), flush=True)

    def start_worker(self, name: str, processes: int) -> None:
        command = ["-m", "celery", "--quiet", "-A", "config", "worker", "-n", f"{name}@%h"]
        flags = ["-c", str(processes), "--loglevel", "ERROR", "--without-gossip"]
        full_command = [sys.executable, *command, *flags, "--without-mingle", "--without-heartbeat"]
        environment = os.environ | self.settings
        self.workers.append(subprocess.Popen(full_command, cwd=ROOT, env=environment))

    def database_bytes(self) -> int:
        """Bytes of the database with what belongs to it."""
        if url := self.settings.get("DATABASE_URL"):
            size = ["psql", url, "-Atc", "SELECT pg_database_size(current_database())"]
            return int(subprocess.run(size, capture_output=True, check=True, text=True).stdout)
        return (self.data / "plateau.sqlite3").stat().st_size


@contextmanager
def nightly_installation(
    data: Path, workers: Sequence[int], *, on_postgres: bool = False
) -> Iterator[NightlyInstallation]:
    """Migrated, kernels compiled, with an owner; workers of so many processes each started."""
    with ExitStack() as stack:
        settings = {"PLATEAU_DATA": str(data), "PLATEAU_MODE": "development"}
        settings["PLATEAU_STUDY_MB"] = "1000000"
        settings["REDIS_URL"] = stack.enter_context(servers.redis_server())
        if on_postgres:
            settings["DATABASE_URL"] = stack.enter_context(servers.postgres())
        installation = NightlyInstallation(data, settings)
        installation.manage("migrate", "--verbosity", "0")
        owner = "from people.models import User; User.objects.create_superuser('bench')"
        installation.manage("shell", "--no-imports", "-c", owner)
        warm_command = [sys.executable, "-m", "detectors.compile_kernels"]
        subprocess.run(warm_command, cwd=ROOT, env=os.environ | settings, check=True)
        for number, processes in enumerate(workers):
            installation.start_worker(f"w{number}", processes)
        try:
            yield installation
        finally:
            for worker in installation.workers:
                worker.terminate()
            for worker in installation.workers:
                worker.wait(60)


if __name__ == "__main__":
    sys.exit(main())
