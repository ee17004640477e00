"""Runs commands in forks of one process that has loaded everything, and kills them on demand.

A moment is a write to the database, a commit, or a change of a file. A fork that is to be killed
sends itself SIGKILL at the moment of a given number: no wait, no chance, and no start of a program.
"""

from __future__ import annotations

import gc
import json
import os
import select
import shutil
import signal
import sys
import time
import traceback
from datetime import timedelta
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

import dj_database_url
import numpy as np
from django.apps import apps
from django.conf import settings
from django.core.management import call_command, get_commands, load_command_class
from django.core.management.base import CommandError
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.template import engines
from django.urls import resolve, reverse
from django.utils import timezone

from analysis.archive import uploading
from analysis.archive.contents import contents
from analysis.archive.models import ArchiveUpload
from analysis.runs.models import Chunk, Detection
from analysis.runs.selection import SeriesSelection
from analysis.runs.services import start_run
from analysis.site import demo
from analysis.tuning.models import Part
from analysis.work import services as work
from analysis.work.kinds import job_kind
from annotate import recipes
from demo import nights
from detectors.registry import get, registry
from detectors.training.fitting import classifiers  # noqa: F401  # loaded before the forks
from people.models import Study, User
from people.sso import provider_links, second_factor
from series import values_store
from series.importing import jobs, uploads
from series.importing.import_order import ImportOrder
from series.importing.import_plan import RecordingDetails
from series.models import Import, Series
from series.reading import file_readers

UPLOAD_ID, IMPORT_JOB_ID, SERIES_ID = "anarchive001", "animport0001", "aseries00001"
COMMANDS = (
    *("import_series", "import_marks", "import_archive", "import_detections", "move", "run"),
    *("import_events", "paper"),
    *("train", "tune", "sensitivity", "nightly", "demo", "report", "import_uploads", "sweep"),
)
LIBRARIES = (
    *("skops.io", "SALib.sample.sobol", "SALib.analyze.sobol", "celery.contrib.django.task"),
    "django.db.backends.postgresql.base",  # with its driver
    *("celery.events", "redis", "scipy.cluster.hierarchy", "people.sso.secrets"),
    *("matplotlib.backends.backend_pdf", "matplotlib.dates", "plotly.graph_objs._figure"),
)
METHODS = ("fixed", "mser", "sdm")
CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.link", "subprocess.Popen"}
READS = ("SELECT", "PRAGMA", "SAVEPOINT", "RELEASE", "BEGIN", "SET", "SHOW")


class MomentCounter:
    """Notes the kind of each moment of this process, and kills it at number `fatal`; 0 never does.

    A kind is a letter: `w` a write to the database, `c` before a commit, `d` after it, `f` a change
    of a file.
    """

    def __init__(self, fatal: int) -> None:
        self.fatal, self.kinds = fatal, ""

    def watch(self) -> None:
        """Count in every connection, and every file that is opened to be written."""
        sys.addaudithook(self._audit)
        cursors: Any = CursorWrapper
        wrappers: Any = BaseDatabaseWrapper
        commit, execute = wrappers.commit, cursors._execute_with_wrappers

        def counted_commit(wrapper: BaseDatabaseWrapper) -> None:
            self.pass_moment("c")
            commit(wrapper)
            self.pass_moment("d")

        def counted_execute(cursor: CursorWrapper, sql: str, *rest: Any, **named: Any) -> Any:
            if not str(sql).lstrip("( ").startswith(READS):
                self.pass_moment("w")
            return execute(cursor, sql, *rest, **named)

        wrappers.commit, cursors._execute_with_wrappers = counted_commit, counted_execute

    def pass_moment(self, kind: str) -> None:
        self.kinds += kind
        if len(self.kinds) == self.fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        writes = event == "open" and bool((arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR))
        if event in CHANGES or writes:
            self.pass_moment("f")


# --- one fork ---------------------------------------------------------------------------------
def use(url: str, data: str) -> None:
    """Let this process work on another database and data folder than its parent."""
    connections.databases["default"] = {
        **connections.databases["default"],
        "OPTIONS": {},
        **dj_database_url.parse(url),
    }
    del connections["default"]
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    os.environ["PLATEAU_KILLED"] = data  # by which its children are known
    settings.DATA_DIR = Path(data)
    settings.VALUES_FOLDER = Path(data) / "values"
    file_readers.readers._idle.clear()  # those of the parent


def small_demo() -> None:
    """Let the demo have one recording, one simulated series of each kind, and few methods."""
    vars(demo).update(
        CATALOGUE=demo.CATALOGUE[:1],
        SEEDS=range(1),
        SAMPLES=4,
        FAST=("fixed", "mser"),
        SLOW=("sdm",),
    )
    vars(nights).update(NIGHTS=2, FORKS=2)


def upload_archive() -> None:
    """Upload an archive and have it imported, as its page does at each look."""
    upload, is_new = ArchiveUpload.objects.get_or_create(
        public_id=UPLOAD_ID,
        defaults={"by": User.objects.get(username="olga"), "file_name": "a.zip"},
    )
    if is_new:
        shutil.copy(
            Path(settings.DATA_DIR).parent / "archive.zip", uploading.archive_upload_path(upload)
        )
        upload.contents, upload.state = contents(uploading.archive_upload_path(upload)), "ready"
        upload.save()
    uploading.give_up_dead_upload(upload)
    ArchiveUpload.objects.filter(pk=upload.pk, state="ready").update(state="importing")


def leave_values() -> None:
    """Leave values in the folder that no series names."""
    values_store.FolderStore(settings.VALUES_FOLDER).write("0" * 64, b"12345678")


def name_series() -> None:
    """Give one series the public id that commands name."""
    Series.objects.filter(benchmark__name="sort", fork=0).update(public_id=SERIES_ID)


def answer_all() -> None:
    """Store an answer of a method for each series."""
    for series in Series.objects.all():
        answer = {"slug": "fixed", "steady_start": 20}
        Detection.objects.get_or_create(
            series=series, detector_key="fixed@1?iteration=20", defaults=answer
        )


def confirm_upload() -> None:
    """Upload a file and confirm its import; after a kill once more, as its page offers."""
    olga, study = User.objects.get(username="olga"), Study.objects.get(slug="startup")
    jobs.live_jobs(study)  # gives back what a dead process held
    if not study.imports.filter(file_name="second.csv").exists():
        content = (Path(settings.DATA_DIR).parent / "second.csv").read_bytes()
        uploads.store_upload(study, [content], "second.csv", by=olga)
    waiting_uploads = study.imports.filter(uploads.WAITING, file_name="second.csv")
    waiting_uploads.update(state=Import.State.RUNNING, job=IMPORT_JOB_ID, error="")
    dataset = study.datasets.get(slug="nightly")
    order = ImportOrder(dataset, RecordingDetails(), "stop")
    sys.stdin = StringIO(order.as_text())


def leave_unit() -> None:
    """Let a worker die with a unit of a run, an hour after it took the unit."""
    study = Study.objects.get(slug="startup")
    if not study.runs.exists():
        keys, selection = ("fixed@1?iteration=5",), SeriesSelection("nightly")
        run = start_run(study, user=None, selection=selection, keys=keys, name="", queued=False)
        work.take_unit(job_kind(run), run.units.get().pk, worker="w-1@elsewhere")
        run.units.update(lease=timezone.now() - timedelta(hours=1))


BEFORE = {
    step.__name__: step
    for step in (
        *(
            small_demo,
            upload_archive,
            leave_values,
            confirm_upload,
            leave_unit,
            name_series,
            answer_all,
        ),
    )
}


def answers() -> list[str]:
    """Answers of methods and of explorations; and units that are done without them."""
    detections = Detection.objects.values_list(
        *("series__benchmark__name", "series__fork", "detector_key", "outcome"),
        *("steady_start", "published_index", "flags", "error"),
    )
    parts = Part.objects.filter(state="done").values_list("first_set", "first_series", "answers")
    units_without_answers = [
        f"{chunk} lacks answers"
        for chunk in Chunk.objects.filter(state="done")
        if Detection.objects.of_chunk(chunk).count() < chunk.members.count()
    ]
    lines = [
        *map(str, detections),
        *(f"{position} {first} {bytes(a)!r}" for position, first, a in parts),
    ]
    return sorted(lines + units_without_answers)


def row_counts() -> dict[str, int]:
    """How many rows each table has; a whole state is known by them."""
    managed = (model._meta for model in apps.get_models(include_auto_created=True))
    tables = [meta.db_table for meta in managed if meta.managed and not meta.proxy]
    counts = [f"SELECT '{table}', count(*) FROM {table}" for table in tables]  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(counts))
        return {table: count for table, count in cursor.fetchall() if count}


def prepare() -> None:
    """Add tables of sign-in by a provider; an owner with it and a second factor; and a member."""
    call_command("migrate", verbosity=0)
    olga = User.objects.create_superuser("olga", "olga@example.org", "never-signs-in")
    second_factor.set_up_codes(olga, "JBSWY3DPEHPK3PXP")
    provider_links.link_identity(olga, "olga-at-the-provider")
    User.objects.create_user("mila", password="never-signs-in-either")  # no secret


def held_units() -> list[str]:
    """Units of runs that a worker holds."""
    return [f"{unit} is held by {unit.worker}" for unit in Chunk.objects.held()]


def state() -> dict[str, Any]:
    return {"stored": row_counts(), "answers": answers()}


def attempt(question: dict[str, Any]) -> dict[str, Any]:
    """Run the command; kinds of its moments in order, and what it said where it refused.

    Where it `looks`, also what was stored before its first steps and after them.
    """
    counter, refusal = MomentCounter(question.get("fatal", 0)), ""
    looks = bool(question.get("looks"))
    states = {"left": state()} if looks else {}
    for step in question.get("before", ()):
        BEFORE[step]()
    states |= {"begun": state()} if looks else {}
    counter.watch()
    begin_time = time.monotonic()
    try:
        call_command(*question["command"], stdout=StringIO(), stderr=StringIO())
    except CommandError as error:
        refusal = str(error)
    except SystemExit as ended:
        refusal = f"status {ended.code}" if ended.code else ""
    seconds = time.monotonic() - begin_time
    observations = {"moments": counter.kinds, "seconds": seconds, "held": held_units()}
    return {**observations, **states, "refused": refusal, **state()}


def fork(question: dict[str, Any]) -> dict[str, Any] | None:
    """The answer of a fork; None where it was killed.

    It is killed at moment `fatal`, or once it has worked for `fatal_seconds`.
    """
    inlet, outlet = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            use(question["url"], question["data"])
            if question.get("prepare"):
                prepare()
            answer = attempt(question) if "command" in question else state()
            os.write(outlet, json.dumps(answer).encode())
            os._exit(0)
        except BaseException:  # noqa: BLE001  # a fork ends here, whatever happens
            traceback.print_exc()
            os._exit(1)
    os.close(outlet)
    if limit := question.get("fatal_seconds"):
        ended, _, _ = select.select([inlet], [], [], limit)
        if not ended:
            os.kill(child, signal.SIGKILL)
    with os.fdopen(inlet, "rb") as stream:
        answer_bytes = stream.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == -signal.SIGKILL:
        return None
    return dict(json.loads(answer_bytes)) if status == 0 else {"failed": status}


def preload() -> None:
    """Load here what commands load when they run: each fork has it."""
    recipes.preload()
    registry()
    for name in COMMANDS:
        load_command_class(get_commands()[name], name)
    for name in LIBRARIES:
        import_module(name)
    for slug in METHODS:  # with its compiled kernels
        get(slug).parse({}).answer(np.arange(60.0) % 7)
    resolve("/")
    reverse("home")
    engines.all()
    gc.freeze()  # no fork copies pages by counting references to what it never uses


def main() -> None:
    preload()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(fork(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
