"""A run through real workers: 5,860 series of 3,000 values, from its start to its last result.

`python -m bench.run` makes a data folder of its own with SQLite, a broker and one worker with two
processes, stores simulated series (not part of the figure), and starts runs as a page does. The
figure is the time from the click to the end of the run as the database has it: publishing,
fetching, detecting, storing, closing.

`--published` measures the published series instead (PLATEAU_REPLICATION, else
../shared/replication): all methods but exact-bayes and the searches of ruptures, in one run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from formats.measurement import Measurement
from replication.published_files import NotPublishedData, published_folder, read
from replication.published_study import PublishedStudy

SERIES, VALUES, PROCESSES = 5860, 3000, 2
BUDGET = 60.0  # seconds for kb-kssd
BUDGET_PUBLISHED = 240.0  # seconds for all methods on 396 published series
DATASET = {"simulated": "Simulated", "published": "Published"}
ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--series", type=int, default=SERIES)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--method", nargs="+", default=["kb-kssd", "fixed"])
    parser.add_argument("--published", action="store_true", help="published series, all methods")
    options = parser.parse_args()
    study = None
    if options.published:
        try:
            study = read(published_folder())
        except NotPublishedData as complaint:
            print(f"Not computed. {complaint}")
            return 1
    with (
        tempfile.TemporaryDirectory(prefix="plateau-bench-") as folder,
        servers(Path(folder), options.processes),
    ):
        if study is not None:
            return measure_published(study, options.processes)
        return measure(options.series, options.processes, options.method)


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
    warm = [sys.executable, "-c", "from detectors.warm import warm; warm()"]
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
    study = ready(simulated(count), "simulated", processes)
    print("| method | detections | seconds | a second | median ms of a detection |")
    print("|---|---|---|---|---|")
    figures = {method: timed(study, "simulated", [method]) for method in methods}
    print("\n" + json.dumps({"seconds": figures, "budget": {"kb-kssd": BUDGET}}))
    return int(figures.get("kb-kssd", 0.0) > BUDGET)


def measure_published(published: PublishedStudy, processes: int) -> int:
    from bench.methods import counts  # noqa: PLC0415
    from detectors.registry import registry  # noqa: PLC0415

    study = ready(measurements_of(published), "published", processes)
    slugs = [slug for slug, each in registry().items() if counts(slug) and not each.missing()]
    print("| method | detections | seconds | a second | median ms of a detection |")
    print("|---|---|---|---|---|")
    seconds = timed(study, "published", slugs)
    within = "yes" if seconds < BUDGET_PUBLISHED else "NO"
    print(f"\nUnder {BUDGET_PUBLISHED:.0f} s: {within}")
    return int(seconds >= BUDGET_PUBLISHED)


def ready(series: Iterable[Measurement], dataset: str, processes: int) -> object:
    """A study with these series, once the workers answer."""
    import django  # noqa: PLC0415  # after the settings are known

    django.setup()
    from analysis import workers  # noqa: PLC0415
    from bench.timing import machine  # noqa: PLC0415

    began = time.perf_counter()
    study = study_of(series, dataset)
    print(f"Machine: {machine()}\n")
    print(f"Series stored in {time.perf_counter() - began:.1f} s (not counted)")
    while len(workers.alive()) < processes:
        time.sleep(0.1)
    print(f"\nOne worker of {processes} processes, series of {VALUES} values:\n")
    return study


def stored(count: int) -> object:
    """A study with one data set of `count` simulated series."""
    return study_of(simulated(count), "simulated")


def study_of(series: Iterable[Measurement], dataset: str) -> object:
    """A study with one data set of these series."""
    from people import services as people  # noqa: PLC0415
    from people.models import User  # noqa: PLC0415
    from series import services  # noqa: PLC0415

    person = User.objects.create_user("bench")
    study = people.create_study(by=person, name="Bench")
    made = services.create_dataset(study, name=DATASET[dataset], simulated=dataset == "simulated")
    services.import_measurements(made, series, dataset)
    return study


def simulated(count: int) -> Iterator[Measurement]:
    from bench.scene import measurements  # noqa: PLC0415  # after the settings are known

    yield from measurements(count, VALUES)


def measurements_of(published: PublishedStudy) -> Iterator[Measurement]:
    """Fork 0 of every series, with what was configured for it."""
    for each in published.measured:
        system, benchmark, params = each.name.split("#")
        yield Measurement(
            system=system,
            benchmark=benchmark,
            params=params,
            label="fork 0",
            unit="s/op",
            values=each.forks[0],
            settings=each.settings,
        )


def timed(study: object, dataset: str, methods: list[str]) -> float:
    """Seconds of one run, which must have answered for every series once by every method."""
    from analysis.models import Detection  # noqa: PLC0415
    from analysis.runs.selection import Selection  # noqa: PLC0415
    from analysis.services import start_run  # noqa: PLC0415

    began = time.perf_counter()
    run = start_run(study, by=None, selection=Selection(dataset), keys=methods)  # type: ignore[arg-type]
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
