"""A run through real workers: 5,860 series of 3,000 values, from its start to its last result.

`python -m bench.run` makes a data folder of its own with SQLite, a broker and one worker with two
processes, stores simulated series (not part of the figure), and starts runs as a page does. The
figure is the time from the click to the end of the run as the database has it: publishing,
fetching, detecting, storing, closing.

`--every-method` measures one run of all methods but exact-bayes and the searches of ruptures, over
396 series.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.timing import machine, parser_of

SERIES, VALUES, PROCESSES = 5860, 3000, 2
BUDGET = 60.0  # seconds for kb-kssd
SERIES_FOR_ALL, BUDGET_FOR_ALL = 396, 240.0  # series; seconds for all methods
ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    parser = parser_of("bench.run", __doc__)
    parser.add_argument("--series", type=int)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--method", nargs="+", default=["kb-kssd", "fixed"])
    parser.add_argument("--every-method", action="store_true", help="all in one run")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="plateau-bench-") as folder,
        servers(Path(folder), options.processes),
    ):
        if options.every_method:
            return measure_all(options.series or SERIES_FOR_ALL, options.processes)
        return measure(options.series or SERIES, options.processes, options.method)


@contextmanager
def servers(data: Path, processes: int) -> Iterator[None]:
    """A broker and a worker on `data`; the settings of this process are theirs."""
    from config import broker  # noqa: PLC0415  # after the folder is known

    socket = broker.socket_for(data)
    os.environ |= {
        "PLATEAU_DATA": str(data),
        "PLATEAU_MODE": "development",
        "PLATEAU_BROKER_SOCKET": str(socket),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    os.environ.pop("DATABASE_URL", None)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = broker.command(broker.server_program(), socket=socket, folder=data)
    server = subprocess.Popen(command, **quiet)  # type: ignore[call-overload]
    manage = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(manage, cwd=ROOT, check=True)
    warm = [sys.executable, "-m", "detectors.compile_kernels"]
    subprocess.run(warm, cwd=ROOT, check=True)  # compiled once for all, as `make run` does
    celery = [sys.executable, "-m", "celery", "--quiet", "-A", "config", "worker"]
    flags = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    worker = subprocess.Popen(
        [*celery, "-n", "bench@%h", "-c", str(processes), "--loglevel", "ERROR", *flags],
        cwd=ROOT,
        **quiet,  # type: ignore[call-overload]
    )
    try:
        yield
    finally:
        for process in (worker, server):
            process.terminate()
            process.wait(30)


def measure(count: int, processes: int, methods: list[str]) -> int:
    study = ready(count, processes)
    print("| method | detections | seconds | a second | median ms of a detection |")
    print("|---|---|---|---|---|")
    figures = {method: timed(study, [method]) for method in methods}
    print("\n" + json.dumps({"seconds": figures, "budget": {"kb-kssd": BUDGET}}))
    return int(figures.get("kb-kssd", 0.0) > BUDGET)


def measure_all(count: int, processes: int) -> int:
    from bench.methods import counts  # noqa: PLC0415
    from detectors.registry import registry  # noqa: PLC0415

    study = ready(count, processes)
    slugs = [slug for slug, each in registry().items() if counts(slug) and not each.missing()]
    print("| method | detections | seconds | a second | median ms of a detection |")
    print("|---|---|---|---|---|")
    seconds = timed(study, slugs)
    print(f"\nUnder {BUDGET_FOR_ALL:.0f} s: {'yes' if seconds < BUDGET_FOR_ALL else 'NO'}")
    return int(seconds >= BUDGET_FOR_ALL)


def ready(count: int, processes: int) -> object:
    """A study with so many series, once the workers answer."""
    import django  # noqa: PLC0415  # after the settings are known

    django.setup()
    from analysis.work import workers  # noqa: PLC0415

    began = time.perf_counter()
    study = stored(count)
    print(f"Machine: {machine()}\n")
    print(f"Series stored in {time.perf_counter() - began:.1f} s (not counted)")
    while len(workers.living_workers()) < processes:
        time.sleep(0.1)
    print(f"\nOne worker of {processes} processes, series of {VALUES} values:\n")
    return study


def stored(count: int) -> object:
    """A study with one data set of `count` simulated series."""
    from bench.scene import measurements  # noqa: PLC0415  # after the settings are known
    from people import services as people  # noqa: PLC0415
    from people.models import User  # noqa: PLC0415
    from series import services  # noqa: PLC0415

    study = people.create_study(by=User.objects.create_user("bench"), name="Bench")
    dataset = services.create_dataset(study, name="Simulated", simulated=True)
    services.import_measurements(dataset, measurements(count, VALUES), "simulated")
    return study


def timed(study: object, methods: list[str]) -> float:
    """Seconds of one run, which must have answered for every series once by every method."""
    from analysis.runs.models import Detection  # noqa: PLC0415
    from analysis.runs.selection import SeriesSelection  # noqa: PLC0415
    from analysis.runs.services import start_run  # noqa: PLC0415

    began = time.perf_counter()
    run = start_run(study, by=None, selection=SeriesSelection("simulated"), keys=methods)  # type: ignore[arg-type]
    while run.finished is None:
        time.sleep(0.02)
        run.refresh_from_db()
    seconds = time.perf_counter() - began
    total = 0
    for key in run.detectors:
        found = Detection.objects.filter(detector_key=key, outcome="answer")
        if found.count() != run.series_count:
            raise SystemExit(f"{key}: {found.count()} answers for {run.series_count} series")
        times = sorted(each or 0.0 for each in found.values_list("milliseconds", flat=True))
        slug, median = key.partition("@")[0], times[len(times) // 2]
        total += len(times)
        if len(run.detectors) > 1:
            print(f"| {slug} | {len(times)} | | | {median:.3f} |")
    name = "all" if len(run.detectors) > 1 else slug
    last = "" if len(run.detectors) > 1 else f"{median:.3f}"
    print(f"| {name} | {total} | {seconds:.1f} | {total / seconds:.0f} | {last} |")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
