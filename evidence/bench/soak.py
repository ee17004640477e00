"""Twenty people work for half an hour beside a run: are pages quick, and does memory stay flat?

`python -m evidence.bench.soak` starts what `make run` starts, on data of its own: simulated series
in a campaign, and nights of many benchmarks for the trend. Each person saves a mark and reads a
page in turn, over HTTP with a session of their own, while workers run methods over everything again
and again; with `--idle` nothing runs beside them. Printed are the times of each kind of page, what
a request costs the web server in processor time, and minute by minute the memory of web and
workers, shared pages divided among them, and the private memory of each process of the web. Memory
may grow in the first five minutes, while caches of a bounded size fill; afterwards not.

Times hold for a machine that does nothing else; processor time and memory hold on a busy one too.
"""

from __future__ import annotations

import argparse
import http.client
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import numpy as np

from detectors.contract import as_series
from evidence.bench import load
from evidence.bench.load import SimulatedPerson
from evidence.bench.processes import core_seconds, free_port, processes_with
from evidence.bench.timing import parser_of
from formats.markdown import head, row
from formats.measurement import Measurement

PEOPLE, EVERY, SECONDS = 20, 3.0, 1800.0
SERIES = 2000  # that workers go through, beside the nights
NIGHTS, BENCHMARKS, FORKS, VALUES = 30, 40, 5, 300
PAGE_BUDGET, GROWTH_BUDGET = 1.0, 1.0  # seconds, 95th percentile; MB a minute once settled
MINUTE = 60.0  # seconds
SETTLED = 5 * MINUTE
PAGES = {
    "home": "/",
    "study": "/s/bench/",
    "data": "/s/bench/data/",
    "trend": "/s/bench/data/nights/trend/",
    "runs": "/s/bench/runs/",
    "compare": "/s/bench/comparison/",
    "campaign": "/s/bench/campaigns/load/",
    "annotate": "/s/bench/campaigns/load/annotate/1/",
    "methods": "/methods/",
}
HTML = {"Accept": "text/html"}


@dataclass
class ProcessUsage:
    """Memory by time, and the web's processor time, read while others work.

    megabytes  of web and workers, proportional; of each process of the web (`web 1`), private
    """

    data: Path
    megabytes: dict[str, list[tuple[float, float]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    processor: float = 0.0
    begun: float | None = None
    web_pids: list[int] = field(default_factory=list)

    def look(self, clock: float) -> None:
        total: dict[str, float] = defaultdict(float)
        used_seconds = 0.0
        for pid, command in processes_with(f"PLATEAU_DATA={self.data}").items():
            process_kind = _kind(command)
            with suppress(OSError):  # it may end meanwhile
                if process_kind:
                    sizes = memory_of(pid)
                    total[process_kind] += sizes["Pss"]
                if process_kind == "web":
                    used_seconds += core_seconds(pid)
                    self.web_pids += [pid] * (pid not in self.web_pids)
                    number = self.web_pids.index(pid) + 1
                    total[f"web {number}"] = sizes["Private_Clean"] + sizes["Private_Dirty"]
        self.begun = used_seconds if self.begun is None else self.begun
        self.processor = used_seconds - self.begun
        for process_kind, size in total.items():
            self.megabytes[process_kind].append((clock, size))

    def by_minute(self, kind: str) -> dict[int, float]:
        """Median MB of each minute that was begun, the first one 1."""
        seconds, sizes = np.array(self.megabytes[kind]).T
        minutes = seconds // MINUTE + 1
        return {
            int(minute): float(np.median(sizes[minutes == minute])) for minute in np.unique(minutes)
        }

    def growth(self, kind: str) -> float:
        """Slope of a line through the sizes since the fifth minute, in MB a minute, or NaN."""
        seconds, sizes = np.array(self.megabytes[kind]).T
        is_settled = seconds >= SETTLED
        if is_settled.sum() < 2:
            return float("nan")
        return float(MINUTE * np.polyfit(seconds[is_settled], sizes[is_settled], 1)[0])


@dataclass
class PageTimes:
    """Seconds of each kind of page, and what was answered instead of one."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    refused: list[str] = field(default_factory=list)

    def note(self, name: str, status: int, seconds: float) -> None:
        self.seconds[name].append(seconds)
        if status >= http.client.BAD_REQUEST:  # `home` leads to the one study
            self.refused.append(f"{name}: {status}")


def main() -> int:
    parser = parser_of("evidence.bench.soak", __doc__)
    parser.add_argument("--database", choices=load.DATABASES, default="sqlite")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="at least 420")
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--every", type=float, default=EVERY, help="seconds between two requests")
    parser.add_argument("--series", type=int, default=SERIES)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between two runs")
    parser.add_argument("--idle", action="store_true", help="no run beside them")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="plateau-bench-") as folder:
        return measure_soak(options, Path(folder))


def measure_soak(options: argparse.Namespace, data: Path) -> int:
    port = free_port()
    with load.load_installation(options.database, data, port):
        people = load.crowd(options.people, options.series)
        store_nights()
        usage, page_times = ProcessUsage(data), PageTimes()
        load.act_during_run(
            people,
            port,
            partial(mark_or_read, page_times),
            usage.look,
            seconds=options.seconds,
            period=options.every,
            side_work=load.wait_for_end
            if options.idle
            else partial(load.detect_until, pause=options.pause),
        )
        return print_soak_tables(people, usage, page_times)


def mark_or_read(
    page_times: PageTimes, person: SimulatedPerson, link: http.client.HTTPConnection, number: int
) -> None:
    """Save a mark or read a page in turn; people begin with different pages.

    A request that fails in any way is noted, and the person goes on.
    """
    page_index = int(person.name.rpartition("-")[2]) + number // 2
    page = list(PAGES)[page_index % len(PAGES)] if number % 2 else "mark"
    try:
        if page == "mark":
            load.save_mark(person, link, number)
        else:
            read_page(page_times, person, link, page)
    except (OSError, http.client.HTTPException) as error:
        page_times.refused.append(f"{page}: {error!r}")
    finally:
        link.close()


def read_page(
    page_times: PageTimes, person: SimulatedPerson, link: http.client.HTTPConnection, page: str
) -> None:
    sent_at = time.perf_counter()
    link.request("GET", PAGES[page], headers={**load.headers(person.session), **HTML})
    reply = link.getresponse()
    reply.read()
    page_times.note(page, reply.status, time.perf_counter() - sent_at)


def print_soak_tables(
    people: Sequence[SimulatedPerson], usage: ProcessUsage, page_times: PageTimes
) -> int:
    """The tables; 1 if something was refused, a page was too slow, or memory grew."""
    times = {
        **page_times.seconds,
        "mark": [milliseconds / 1e3 for person in people for milliseconds in person.times],
    }
    refused = [reply for person in people for reply in person.refused] + page_times.refused
    print(head("page", "requests", "median s", "95 %", "most"))
    for name, seconds in times.items():
        figures = np.quantile(seconds, [0.5, 0.95, 1])
        print(row(name, len(seconds), *(f"{figure:.2f}" for figure in figures)))
    waits = np.array([wait for seconds in times.values() for wait in seconds])
    each_costs = 1e3 * usage.processor / waits.size
    print(f"\n{waits.size} requests, {len(refused)} refused, {each_costs:.0f} ms of processor each")
    growths = {kind: usage.growth(kind) for kind in usage.megabytes}
    print(f"\n{head('memory, MB of minute', *growths)}")
    by_minute = [usage.by_minute(kind) for kind in growths]
    for minute in sorted(set().union(*by_minute)):
        print(row(minute, *(f"{sizes.get(minute, float('nan')):.0f}" for sizes in by_minute)))
    print(
        row(
            "a minute since the fifth",
            *(f"{growth_a_minute:+.2f}" for growth_a_minute in growths.values()),
        )
    )
    for reply in sorted(set(refused))[:5]:
        print(f"refused: {reply}", file=sys.stderr)
    grew = any(growth > GROWTH_BUDGET for growth in growths.values())
    slow = any(np.quantile(seconds, 0.95) > PAGE_BUDGET for seconds in times.values())
    return int(bool(refused) or grew or slow)


def memory_of(pid: int) -> dict[str, float]:
    """MB of a process by the kernel's names, such as `Pss`; OSError where it has ended."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
    sizes = (line.partition(":") for line in lines)
    return {name: float(size.split()[0]) / 1e3 for name, _, size in sizes}


def store_nights() -> None:
    """Nights of benchmarks, every third of which gets slower half-way."""
    from people.models import Study  # noqa: PLC0415
    from series.importing import services  # noqa: PLC0415
    from series.importing.import_plan import RecordingDetails  # noqa: PLC0415

    dataset = services.create_dataset(Study.objects.get(), name="Nights", simulated=True)
    for night in range(NIGHTS):
        when = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=night)
        occasion = RecordingDetails(label=f"night {night}", measured_at=when)
        services.import_measurements(
            dataset, measurements_of_night(night), f"night {night}", occasion=occasion
        )


def measurements_of_night(night: int) -> Iterator[Measurement]:
    random = np.random.default_rng(night)
    warm = np.where(np.arange(VALUES) < VALUES // 4, 2.0, 1.0)
    for benchmark in range(BENCHMARKS):
        slower = 1.05 if night > NIGHTS // 2 and benchmark % 3 == 0 else 1.0
        for fork in range(FORKS):
            yield Measurement(
                system="bench",
                benchmark=f"benchmark {benchmark}",
                params="",
                label=f"night {night}",
                unit="s/op",
                fork=fork,
                values=as_series(slower * warm + random.exponential(0.02, VALUES)),
                settings={},
            )


def _kind(command: str) -> str:
    """Part of the installation that a process belongs to; empty for the others."""
    if "plateau-web" in command or "gunicorn" in command:
        return "web"
    return "workers" if "celery" in command else ""


if __name__ == "__main__":
    sys.exit(main())
