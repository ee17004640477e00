"""Twenty people save marks while a full run works: is any lost, locked out, or kept waiting?

`python -m evidence.bench.load` starts what `make run` starts, once on SQLite with the broker of its
own and once on PostgreSQL with Redis, on data of its own. Twenty people answer, each every two
seconds for three minutes, over HTTP with sessions of their own, while workers run a method over
every series again and again. Afterwards every answer that the server acknowledged must be stored
once, with the index that was sent. The figure is the time from the request to its reply; none may
be over two seconds.
"""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

from evidence.bench import servers
from evidence.bench.annotate import wait_for
from evidence.bench.processes import free_port
from evidence.bench.timing import parser_of
from formats.markdown import head, row

PEOPLE, EVERY, SECONDS = 20, 2.0, 180.0
SERIES, ASKED = 5860, 40  # that workers go through; that people are asked for
VALUES = 3000
BUDGET = 100.0  # ms, 95th percentile
LOOKED_EVERY = 1.0  # seconds
LATE = 2000.0  # ms that no answer may wait, however many workers write
METHODS = ("kb-kssd", "sdm", "t-test")
DATABASES = ("sqlite", "postgres")
TOKEN = "0123456789abcdef0123456789abcdef"  # noqa: S105  # sent as cookie and header, as pages do


@dataclass(slots=True)
class SimulatedPerson:
    """One annotator: a session, the answers sent and what became of each."""

    name: str
    session: str
    address: str
    digests: dict[int, str]
    times: list[float] = field(default_factory=list)
    stored: dict[str, tuple[int, int]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


def main() -> int:
    parser = parser_of("evidence.bench.load", __doc__)
    parser.add_argument("--database", choices=DATABASES, help="only this one")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--people", type=int, default=PEOPLE)
    options = parser.parse_args()
    if options.database:
        with tempfile.TemporaryDirectory(prefix="plateau-bench-") as folder:
            port = free_port()
            with load_installation(options.database, Path(folder), port):
                people = crowd(options.people)
                detection_count = act_during_run(
                    people, port, save_mark, seconds=options.seconds, period=EVERY
                )
                return print_load_row(options.database, people, detection_count)
    passed_options = ["--seconds", str(options.seconds), "--people", str(options.people)]
    figures = ("answers", "lost", "refused", "over 2 s", "median ms", "95 %", "most", "detections")
    print(head("database", "people", *figures), flush=True)
    command = [sys.executable, "-m", "evidence.bench.load", *passed_options, "--database"]
    return max(
        [subprocess.run([*command, database], check=False).returncode for database in DATABASES]
    )


@contextmanager
def load_installation(database: str, data: Path, port: int) -> Iterator[None]:
    """Start what `make run` starts on that database, and this process on the same settings."""
    with databases(database) as addresses:
        os.environ.pop("DATABASE_URL", None)
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PLATEAU_MODE": "development",
            "PLATEAU_DATA": str(data),
            **addresses,
        }
        with launch_on_port(port):
            import django  # noqa: PLC0415  # the launcher has written the settings down

            django.setup()
            yield


Act = Callable[[SimulatedPerson, http.client.HTTPConnection, int], None]


def act_during_run(
    people: Sequence[SimulatedPerson],
    port: int,
    act: Act,
    look_at_time: Callable[[float], object] = lambda _: None,
    *,
    seconds: float,
    period: float,
    side_work: Callable[[threading.Event], int] | None = None,
) -> int:
    """Everybody acts again and again while a run goes on; how many detections that gave.

    look_at_time: called meanwhile with the seconds since the beginning.
    side_work: what goes on meanwhile in place of a run.
    """
    ended_event = threading.Event()
    with ThreadPoolExecutor(len(people) + 1) as pool:
        run = pool.submit(side_work or detect_until, ended_event)
        clock = time.perf_counter()
        begins = clock + period * np.arange(len(people)) / len(people)
        futures = [
            pool.submit(
                act_at_moments, person, port, act, np.arange(begin, clock + seconds, period)
            )
            for person, begin in zip(people, begins, strict=True)
        ]
        try:
            while not all(desk.done() for desk in futures):
                look_at_time(time.perf_counter() - clock)
                time.sleep(LOOKED_EVERY)
            for desk in futures:
                desk.result()  # what it raised is no answer that nobody counts
        finally:
            ended_event.set()
        return run.result()


def act_at_moments(person: SimulatedPerson, port: int, act: Act, moments: np.ndarray) -> None:
    """Act at each moment, as a page does: one connection, one request after the other."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for number, moment in enumerate(moments):
        time.sleep(max(0.0, moment - time.perf_counter()))
        act(person, link, number)


@contextmanager
def databases(name: str) -> Iterator[dict[str, str]]:
    if name == "sqlite":
        yield {}
        return
    with servers.postgres() as database, servers.redis_server() as redis:
        yield {"DATABASE_URL": database, "REDIS_URL": redis}


@contextmanager
def launch_on_port(port: int) -> Iterator[None]:
    """Start what `make run` starts, until the end of the block."""
    command = [sys.executable, "-m", "config.launch", "--port", str(port), "--no-demo"]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/sign-in/", seconds=300)  # kernels are compiled first
        yield
    finally:
        child.send_signal(signal.SIGINT)
        child.wait(30)


def crowd(count: int, series: int = SERIES) -> list[SimulatedPerson]:
    """An open campaign over every series, and `count` people who are asked for all of it."""
    from annotate.answering.series_aliases import alias_of  # noqa: PLC0415
    from evidence.bench import scene  # noqa: PLC0415

    study, _ = scene.store_study(scene.scene_measurements(series, VALUES))
    users = scene.annotators(study, count)
    campaign = scene.open_campaign_of(study, "Load", users, ASKED)
    tasks = list(campaign.tasks.select_related("campaign", "series"))
    address = f"/s/{study.slug}/campaigns/{campaign.slug}/annotate/"
    people = []
    for user in users:
        digests = {task.position: alias_of(task, user) for task in tasks}
        people.append(SimulatedPerson(user.username, scene.session_of(user), address, digests))
    return people


def save_mark(person: SimulatedPerson, link: http.client.HTTPConnection, _: int) -> None:
    """A mark on the person's next series, as a page posts it, and what became of it."""
    click, index = str(uuid.uuid4()), len(person.times)
    position = sorted(person.digests)[index % len(person.digests)]
    body = {"kind": "steady", "index": index, "digest": person.digests[position]}
    body |= {"client_id": click, "seconds": "1.5", "view": "{}"}
    sent_at = time.perf_counter()
    link.request(
        "POST", f"{person.address}{position}/marks/", urlencode(body), headers(person.session)
    )
    reply = link.getresponse()
    text = reply.read()
    link.close()  # the server does so after two seconds, maybe while the next is being sent
    person.times.append(1e3 * (time.perf_counter() - sent_at))
    if reply.status == http.client.CREATED:
        person.stored[click] = (position, index)
    else:
        person.refused.append(f"{reply.status} {text[:200]!r}")


def headers(session: str) -> dict[str, str]:
    return {
        "Cookie": f"sessionid={session}; csrftoken={TOKEN}",
        "X-CSRFToken": TOKEN,
        "Content-Type": "application/x-www-form-urlencoded",
    }


def wait_for_end(ended_event: threading.Event) -> int:
    """Wait until the end, in place of a run."""
    ended_event.wait()
    return 0


def detect_until(ended_event: threading.Event, *, pause: float = 0.0) -> int:
    """One run over every series after the other, all of it anew; how many detections came.

    pause  seconds between two runs
    """
    from analysis.runs.selection import SeriesSelection  # noqa: PLC0415
    from analysis.runs.services import start_run  # noqa: PLC0415
    from people.models import Study  # noqa: PLC0415

    study, detection_count = Study.objects.get(), 0
    while not ended_event.is_set():
        selection = SeriesSelection("simulated")
        run = start_run(study, user=None, selection=selection, keys=METHODS, again=True)
        while run.finished is None and not ended_event.wait(0.2):
            run.refresh_from_db()
        detection_count += sum(run.units.values_list("done_count", flat=True))
        ended_event.wait(pause)
    return detection_count


def print_load_row(database: str, people: list[SimulatedPerson], detection_count: int) -> int:
    """A row of the table; 1 if an answer was lost or refused, or the budget was missed."""
    from annotate.models import Mark  # noqa: PLC0415

    stored_marks = {
        str(click): (position, index)
        for click, position, index in Mark.objects.values_list(
            "client_id", "task__position", "index"
        )
    }
    sent_marks = {
        click: place_and_index
        for person in people
        for click, place_and_index in person.stored.items()
    }
    lost_count = sum(
        stored_marks.get(click) != place_and_index for click, place_and_index in sent_marks.items()
    )
    refused_replies = [reply for person in people for reply in person.refused]
    times = np.array([spent_seconds for person in people for spent_seconds in person.times])
    late_count, figures = int((times > LATE).sum()), np.quantile(times, [0.5, 0.95, 1])
    counts = (len(people), times.size, lost_count, len(refused_replies), late_count)
    print(
        row(database, *counts, *(f"{figure:.0f}" for figure in figures), detection_count),
        flush=True,
    )
    for reply in sorted(set(refused_replies))[:5]:
        print(f"refused: {reply}", file=sys.stderr)
    return int(bool(lost_count or refused_replies or late_count) or figures[1] > BUDGET)


if __name__ == "__main__":
    sys.exit(main())
