"""Requests of walks.md, in an installation of one person: Django is set up before this loads."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any, Final
from unittest.mock import patch
from uuid import uuid4

import numpy as np
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.test import Client

from analysis.runs.models import Run
from analysis.runs.selection import SeriesSelection
from analysis.runs.services import start_run
from analysis.work.kinds import job_kind
from analysis.work.services import take_and_work
from annotate.answering.series_aliases import alias_of
from annotate.models import Annotator, Assignment, Campaign, Task
from docs.walk_trace import Carried, WalkTrace
from people.models import Membership, Role, Study, User
from series.models import Import, Series
from series.reading import file_reader_process, file_readers

MARK: Final = 95  # what the annotator answers
START: Final = 37  # what the method answers: there the values fall
MARKER: Final = 1.2345  # value of the series at multiples of 7
VALUES: Final = [(MARKER if at >= START else 2) + at % 7 / 1000 for at in range(120)]
DIGEST: Final = hashlib.sha256(np.array(VALUES).tobytes()).hexdigest()
COLUMNS: Final = "benchmark,fork,iteration,value,unit"
METHOD: Final = "min-sse"


class Walker:
    """A browser of the one person, and what it asks for; each walk by the name of a data set."""

    def __init__(self) -> None:
        self.user = User.objects.create_user("olga", "olga@example.org")
        self.study = Study.objects.create(name="Study", slug="study")
        Membership.objects.create(study=self.study, user=self.user, role=Role.OWNER)
        self.browser = Client()
        self.browser.force_login(self.user)

    def upload_to_chart(self, name: str) -> None:
        """Upload a file, confirm its import, and fetch the values that its chart draws."""
        rows = [f"{name},0,{index},{value},s" for index, value in enumerate(VALUES)]
        file = SimpleUploadedFile(f"{name}.csv", "\n".join([COLUMNS, *rows]).encode())
        body(self.browser.post("/s/study/import/", {"files": file}))
        upload = Import.objects.get(state=Import.State.UPLOADED)
        order = {"uploads": upload.public_id, "dataset": "+", "name": name, "on_problems": "stop"}
        body(self.browser.post("/s/study/import/confirmation/", order))
        series = Series.objects.get(benchmark__dataset__slug=name)
        body(self.browser.get(f"/payload/{series.digest}.f32"))

    def prepare(self, name: str) -> None:
        """Open a campaign of one series, and start a run of one method on it."""
        series = Series.objects.get(benchmark__dataset__slug=name)
        campaign = Campaign.objects.create(study=self.study, name=name, slug=name, state="open")
        Annotator.objects.create(campaign=campaign, user=self.user, pseudonym="a1")
        task = Task.objects.create(campaign=campaign, series=series, position=1)
        Assignment.objects.create(task=task, user=self.user, order=0)
        selection = SeriesSelection(dataset=name)
        start_run(self.study, user=self.user, selection=selection, keys=[METHOD], queued=False)

    def click_to_row(self, name: str) -> None:
        """Save a mark of the annotate page, and fetch the ground truth as CSV."""
        campaign = f"/s/study/campaigns/{name}"
        digest = alias_of(Task.objects.get(campaign__slug=name), self.user)
        answer = {"kind": "steady", "index": MARK, "seconds": 4, "digest": digest, "view": "{}"}
        sent_answer = {**answer, "client_id": str(uuid4()), "guide_version": 1}
        body(self.browser.post(f"{campaign}/annotate/1/marks/", sent_answer))
        body(self.browser.get(f"{campaign}/ground-truth.csv"))

    def run_to_cell(self, name: str) -> None:
        """Do the one unit of a run as a worker does, and fetch the table of Compare."""
        run = Run.objects.get(units__isnull=False, study=self.study, selection__dataset=name)
        unit = run.units.get()
        take_and_work(job_kind(unit), unit.pk, worker="")
        query = {"yardstick": name, "dataset": name, "table": "leaderboard"}
        body(self.browser.get("/s/study/comparison/export/", query))


def body(answer: HttpResponseBase) -> bytes:
    """Body of an answer; raises RuntimeError for an error."""
    if answer.status_code >= HTTPStatus.BAD_REQUEST:
        raise RuntimeError(f"a walk ended at {answer!r}")
    return b"".join(answer)


def lines_of_reader(file: Any, task: str, *_: Any, **options: Any) -> Iterator[dict[str, Any]]:
    """Read a file in this process: the walk would end at the door of the one that reads."""
    lines: list[str] = []
    question = json.loads(json.dumps(file.question(task, **options)))
    inbox = io.BytesIO(file.data)
    file_reader_process.respond(question, inbox, lambda line: lines.append(json.dumps(line)))
    yield from map(json.loads, lines[:-1])


def is_values(value: object) -> bool:
    """Return whether `value` holds the values of the series, or is their digest."""
    if isinstance(value, str):
        return value == DIGEST
    if isinstance(value, bytes):
        return np.float64(MARKER).tobytes() in value or np.float32(MARKER).tobytes() in value
    return isinstance(value, np.ndarray) and bool(np.isin(MARKER, value))


def is_one_of(*numbers: int) -> Carried:
    """Return a test for `numbers`, as a number or in an array."""

    def test(value: object) -> bool:
        if isinstance(value, np.ndarray):
            return value.size < 1000 and bool(np.isin(numbers, value).any())
        return type(value) in {int, float, np.int64, np.float64} and value in numbers

    return test


WALKS: Final[dict[str, tuple[Callable[[Walker, str], None], Carried]]] = {
    "An upload to a chart": (Walker.upload_to_chart, is_values),
    "A click to a row": (Walker.click_to_row, is_one_of(MARK)),
    "A run to a cell": (Walker.run_to_cell, is_one_of(START, MARK - START, START - MARK)),
}


def walk_traces() -> dict[str, WalkTrace]:
    """Each walk by title, traced the second time: registries are full then, kernels loaded."""
    walker = Walker()
    traces: dict[str, WalkTrace] = {}
    for name in ("first", "second"):
        for title, (walk, is_carried) in WALKS.items():
            traces[title] = WalkTrace(is_carried)
            reading_here = patch.object(file_readers, "_reader_lines", lines_of_reader)
            with reading_here, traces[title].running():
                walk(walker, name)
            if walk is Walker.upload_to_chart:
                walker.prepare(name)
    return traces
