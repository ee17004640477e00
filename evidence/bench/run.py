"""A run through real workers: 5,860 series of 3,000 values, from its start to its last result.

`python -m evidence.bench.run` makes an installation of its own with SQLite and one worker with two
processes, stores simulated series (not part of the figure), and starts runs as a page does. The
figure is the time from the click to the end of the run as the database has it: publishing,
fetching, detecting, storing, closing. Exit status 1: a budget is missed.

`--every-method` measures one run of all methods but exact-bayes and the searches of ruptures, over
396 series.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from evidence.bench.nightly import nightly_installation
from evidence.bench.timing import machine, parser_of
from formats.markdown import head, row

if TYPE_CHECKING:
    from people.models import Study

SERIES, VALUES, PROCESSES = 5860, 3000, 2
BUDGET = 60.0  # seconds for kb-kssd
SERIES_FOR_ALL, BUDGET_FOR_ALL = 396, 240.0  # series; seconds for all methods


def main() -> int:
    parser = parser_of("evidence.bench.run", __doc__)
    parser.add_argument("--series", type=int)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--method", nargs="+", default=["kb-kssd", "fixed"])
    parser.add_argument("--every-method", action="store_true", help="all in one run")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="plateau-bench-") as folder,
        nightly_installation(Path(folder), (options.processes,)) as installation,
    ):
        os.environ |= installation.settings | {"DJANGO_SETTINGS_MODULE": "config.settings"}
        os.environ.pop("DATABASE_URL", None)
        return measure_run(options)


def measure_run(options: Namespace) -> int:
    """The rows of the table, and whether a budget was missed."""
    study = prepare_study(
        options.series or (SERIES_FOR_ALL if options.every_method else SERIES), options
    )
    print(head("method", "detections", "seconds", "a second", "median ms of a detection"))
    if options.every_method:
        seconds, budget = time_run(study, counted_slugs()), BUDGET_FOR_ALL
    else:
        seconds = {method: time_run(study, [method]) for method in options.method}.get(
            "kb-kssd", 0.0
        )
        budget = BUDGET
    print(f"\nUnder {budget:.0f} s: {'yes' if seconds < budget else 'NO'}")
    return int(seconds >= budget)


def counted_slugs() -> list[str]:
    from detectors.registry import registry  # noqa: PLC0415
    from evidence.bench.methods import counts_in_budget  # noqa: PLC0415

    return [
        slug
        for slug, method in registry().items()
        if counts_in_budget(slug) and not method.missing()
    ]


def prepare_study(count: int, options: Namespace) -> Study:
    """A study with so many series, once the workers answer."""
    import django  # noqa: PLC0415  # after the settings are known

    django.setup()
    from analysis.work import workers  # noqa: PLC0415
    from evidence.bench import scene  # noqa: PLC0415

    began_at = time.perf_counter()
    study, _ = scene.store_study(scene.scene_measurements(count, VALUES))
    print(f"Machine: {machine()}\n")
    print(f"Series stored in {time.perf_counter() - began_at:.1f} s (not counted)")
    while len(workers.living_workers()) < options.processes:
        time.sleep(0.1)
    print(f"\nOne worker of {options.processes} processes, series of {VALUES} values:\n")
    return study


def time_run(study: Study, methods: list[str]) -> float:
    """Seconds of one run, which must have answered for every series once by every method."""
    from analysis.runs.models import Detection  # noqa: PLC0415
    from analysis.runs.selection import SeriesSelection  # noqa: PLC0415
    from analysis.runs.services import start_run  # noqa: PLC0415

    began_at = time.perf_counter()
    run = start_run(study, user=None, selection=SeriesSelection("simulated"), keys=methods)
    while run.finished is None:
        time.sleep(0.02)
        run.refresh_from_db()
    seconds = time.perf_counter() - began_at
    medians = {}
    for key in run.detectors:
        detections = Detection.objects.filter(detector_key=key, outcome="answer")
        if detections.count() != run.series_count:
            raise SystemExit(f"{key}: {detections.count()} answers for {run.series_count} series")
        times = sorted(
            milliseconds or 0.0
            for milliseconds in detections.values_list("milliseconds", flat=True)
        )
        medians[key.partition("@")[0]] = f"{times[len(times) // 2]:.3f}"
    total = run.series_count * len(medians)
    figures = (total, f"{seconds:.1f}", f"{total / seconds:.0f}")
    if len(medians) == 1:
        print(row(*medians, *figures, *medians.values()))
        return seconds
    for slug, median in medians.items():
        print(row(slug, run.series_count, "", "", median))
    print(row("all", *figures, ""))
    return seconds


if __name__ == "__main__":
    sys.exit(main())
