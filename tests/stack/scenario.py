"""Steps of the stack tests, taken by a process that has the settings under test."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django
import numpy as np

from config import garbage

with garbage.paused_collection():
    django.setup()  # before any model is imported

from celery import current_app
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import F
from django.test import Client, override_settings
from django.utils import timezone

from analysis.report.models import ReportJob
from analysis.runs import services
from analysis.runs.imported_methods import services as own_methods
from analysis.runs.models import Detection, Run
from analysis.runs.selection import SeriesSelection
from analysis.tuning import services as explorations
from analysis.tuning.designs import planned_sets, stored_answers
from analysis.tuning.models import Exploration
from analysis.tuning.plan import exploration_scope
from analysis.tuning.query import ExplorationQuery, checked_range
from analysis.work import services as work, unit_messages
from analysis.work.kinds import job_kind, kinds
from analysis.work.models import Job, Worker
from analysis.work.progress import job_progress
from annotate import blind
from annotate.answering import services as annotate
from annotate.importing import mark_files as importing
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Task
from detectors.registry import from_key, get
from formats import FormatError, Measurement, marks
from formats.names import normal
from people import services as accounts
from people.models import Membership, Role, Study, User
from series.importing import jobs, uploads
from series.importing.import_order import ImportOrder
from series.importing.import_plan import RecordingDetails
from series.importing.jobs import FAULT
from series.importing.services import create_dataset, import_measurements
from series.importing.upload_files import folder
from series.models import Dataset, Series
from tests.formats import hostile
from tests.series.import_pages.upload_pages import page_alone

STUDY, DATASET = "stack", "noise"
PLAIN = "django.contrib.staticfiles.storage.StaticFilesStorage"
UNCOLLECTED = {**settings.STORAGES, "staticfiles": {"BACKEND": PLAIN}}


def fill(file: str) -> int:
    """Store an owner, and the measurements of `file`; how many series there are then."""
    User.objects.create_superuser("olga", "olga@example.org", "never-signs-in")
    call_command("import_series", f"{STUDY}/{DATASET}", file, owner="olga", stdout=StringIO())
    return Series.objects.count()


def start(*keys: str) -> str:
    """Start a run over everything; its public id."""
    study = Study.objects.get(slug=STUDY)
    return services.start_run(
        study, user=None, selection=SeriesSelection(DATASET), keys=keys
    ).public_id


def kill_in_the_middle(public_id: str, group: str) -> list[str]:
    """kill -9 the worker's whole group as soon as a chunk is done and one is at work; whose."""
    run = Run.objects.get(public_id=public_id)
    _until(
        lambda: (
            run.units.filter(state="done").exists() and run.units.filter(state="taken").exists()
        ),
        every=0.03,  # all chunks together take a second
    )
    os.killpg(int(group), signal.SIGKILL)
    return sorted(run.units.filter(state="taken").values_list("worker", flat=True))


def watch(public_id: str) -> dict[str, Any]:
    """Look at the run as its page does, until it has ended; what is stored then."""
    run = Run.objects.get(public_id=public_id)
    _until_ended(run)
    chunks = list(run.units.all())
    detections = Detection.objects.filter(detector_key__in=run.detectors)
    return {
        "state": run.state,
        "chunks": sorted({chunk.state for chunk in chunks}),
        "done": sum(chunk.done_count for chunk in chunks),
        "failed": sum(chunk.failed_count for chunk in chunks),
        "detections": detections.count(),
        "pairs": detections.values("series", "detector_key").distinct().count(),
        "most_attempts": max(chunk.attempts for chunk in chunks),
        "workers": sorted({chunk.worker for chunk in chunks}),
    }


def interrupt(how: str) -> dict[str, Any]:
    """Stop a run, or leave its long series out, while a compiled loop of half a minute runs.

    What came of it, and the process that computed, which cannot be asked to stop.
    """
    study = Study.objects.get(slug=STUDY)
    dataset = create_dataset(study, name="Long")
    values = np.random.default_rng(3).normal(10.0, 1.0, from_key("cp-ssd").longest)
    lengths = {"long": values, "short": values[:600]}
    measured = [Measurement(benchmark=name, label=name, values=v) for name, v in lengths.items()]
    import_measurements(dataset, measured, "long")
    run = services.start_run(
        study, user=None, selection=SeriesSelection(dataset.slug), keys=["cp-ssd"]
    )
    long_series = Series.objects.get(benchmark__dataset=dataset, benchmark__name="long")
    at_work = run.units.filter(state="taken", members__series=long_series, worker__gt="")
    _until(run.detections.exists)
    _until(lambda: at_work.filter(current=long_series.public_id).exists())
    unit = at_work.get()
    process = Worker.objects.get(name=unit.worker).pid
    if how == "stop":
        work.stop(run)
    else:
        services.leave_series_out(run, long_series)
    _until_ended(run)
    _until(lambda: not Path(f"/proc/{process}").exists())
    outcome = {
        "state": run.state,
        "units": sorted(run.units.values_list("state", "size", "done_count")),
        "answers": list(run.detections.values_list("series__benchmark__name", flat=True)),
    }
    dataset.delete()
    return outcome


def compare(key: str) -> dict[str, Any]:
    """Stored answers beside those that the detector gives here and now."""
    detector = from_key(key)
    wrong_pks = []
    for series in Series.objects.select_related("stored", "benchmark"):
        stored_detection = Detection.objects.get(series=series, detector_key=detector.key)
        if stored_detection.steady_start != detector.answer(series.array()).steady_start:
            wrong_pks.append(series.pk)
    return {"wrong": wrong_pks, "compared": Series.objects.count()}


def explore() -> str:
    """Start a search for a front against known answers, on the workers; its public id."""
    return _explore(queued=True).public_id


def _explore(*, queued: bool) -> Exploration:
    study, method = Study.objects.get(slug=STUDY), get("georges")
    know()
    exploration_query = ExplorationQuery(
        kind=Exploration.Kind.FRONT,
        method=method,
        ranges=(checked_range(method, "k", 5, 80), checked_range(method, "threshold", 0.001, 0.1)),
        held={},
        yardstick="known",
        samples=60,
        goal={"mean_abs": 1.0, "fn": 1.0},
    )
    scope = exploration_scope(study, exploration_query.yardstick)
    return explorations.start_exploration(study, exploration_query, scope, user=None, queued=queued)


def know() -> int:
    """Every series has a known answer from now on."""
    return Series.objects.filter(known_start=None).update(known_start=F("fork") * 40)


def end_of_exploration(public_id: str) -> str:
    """Look at it as its page does, until it has ended; its state."""
    exploration = Exploration.objects.get(public_id=public_id)
    _until_ended(exploration)
    return exploration.state


def kill_an_exploration(public_id: str, group: str) -> dict[str, Any]:
    """kill -9 the worker's whole group after a few parts; how far it had come."""
    exploration = Exploration.objects.get(public_id=public_id)
    _until(lambda: exploration.units.filter(state="done").count() > 8)
    os.killpg(int(group), signal.SIGKILL)
    exploration.refresh_from_db()
    return {
        "state": exploration.state,
        "planned": exploration.planned,
        "wanted": exploration.wanted,
    }


def watch_exploration(public_id: str) -> dict[str, Any]:
    """Look at it as its page does, until it has ended; then compute it again in this process."""
    exploration = Exploration.objects.get(public_id=public_id)
    _until_ended(exploration)
    second_exploration = _explore(queued=False)
    work.work_through(second_exploration, worker="here", tell_progress=lambda *_: None)
    second_exploration.refresh_from_db()
    second_answers, first_answers = stored_answers(second_exploration), stored_answers(exploration)
    return {
        "state": exploration.state,
        "parts": sorted(set(exploration.units.values_list("state", flat=True))),
        "failed": sum(exploration.units.values_list("failed_count", flat=True)),
        "complete": int(first_answers.complete.sum()),
        "same sets": bool((planned_sets(exploration) == planned_sets(second_exploration)).all()),
        "same answers": bool((second_answers.table == first_answers.table).all()),
    }


def deliver_again(public_id: str) -> int:
    """Send the message of every unit of a job three times more."""
    job = _job(public_id)
    ids = list(job_kind(job).units.filter(job=job).values_list("pk", flat=True))
    unit_messages.send(job_kind(job), ids * 3)
    return len(ids) * 3


def units(public_id: str) -> list[list[Any]]:
    """How the units of a job ended: state, attempts, worker, done, failed."""
    job = _job(public_id)
    _until_ended(job)
    columns = ("state", "attempts", "worker", "done_count", "failed_count")
    unit_rows = job_kind(job).units.filter(job=job).order_by("pk").values_list(*columns)
    return [list(row) for row in unit_rows]


def newest_report() -> str:
    """Public id of the report that was asked for last."""
    return ReportJob.objects.latest("pk").public_id


def _job(public_id: str) -> Job:
    """Of whichever kind."""
    return next(job for kind in kinds() for job in kind.jobs.filter(public_id=public_id))


def drain() -> bool:
    """Wait until workers have fetched every message."""
    _until(lambda: unit_messages.queue_length() == 0)
    return True


def forget() -> int:
    """Lose every message, a minute ago: as a broker without a disk does when it is restarted."""
    for kind in kinds():
        kind.units.update(queued_at=timezone.now() - timedelta(minutes=1))
    with current_app.connection_for_write() as link:
        channel: Any = link.default_channel
        return int(channel.client.delete(current_app.conf.task_default_queue))


def broker_process() -> int:
    """The number of the broker's server process, as it says itself."""
    with current_app.connection_for_read() as link:
        channel: Any = link.default_channel
        return int(channel.client.info("server")["process_id"])


def ask(method: str, address: str, fields: dict[str, Any] | None = None) -> dict[str, Any]:
    """What olga's browser gets from a page, and how long it waited."""
    client = Client() if address == "/health/" else _browser()  # a monitor does not sign in
    clock = time.monotonic()
    with override_settings(STORAGES=UNCOLLECTED):
        answer = getattr(client, method)(address, fields or {})
    return {
        "status": answer.status_code,
        "at": answer.headers.get("Location", ""),
        "retry": answer.headers.get("Retry-After", ""),
        "text": answer.content.decode(),
        "seconds": time.monotonic() - clock,
    }


def connection_settings() -> dict[str, str]:
    """Settings of PostgreSQL that hold for every statement of the installation."""
    names = ("lock_timeout", "cursor_tuple_fraction", "jit")
    with connection.cursor() as cursor:
        return {name: cursor.execute(f"SHOW {name}").fetchone()[0] for name in names}


def sign_in_beside_a_lock() -> dict[str, Any]:
    """Olga signs in while somebody else holds her row; how long a page would wait, and the answer.

    Here it waits a fifth of a second.
    """
    live_options, saved_options = (
        connection.settings_dict["OPTIONS"],
        connection.settings_dict["OPTIONS"].copy(),
    )
    person = {"username": "olga", "password": "never-signs-in"}
    with connection.copy().cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("SELECT 1 FROM people_user WHERE username = 'olga' FOR UPDATE")
        live_options["options"] += " -c lock_timeout=200ms"
        connection.close()
        answer = Client(raise_request_exception=False).post("/sign-in/", person)
        cursor.execute("ROLLBACK")
    live_options |= saved_options
    connection.close()
    return {
        "status": answer.status_code,
        "retry": answer.headers.get("Retry-After", ""),
        "sentence": answer.json()["sentence"],
        "then": Client().post("/sign-in/", person).status_code,
    }


@cache
def _browser() -> Client:
    """Olga's, signed in once: where the database is gone nobody can."""
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username="olga"))
    return client


def page(public_id: str) -> dict[str, Any]:
    """What the page of a job shows now."""
    progress = job_progress(_job(public_id))
    return {
        "state": progress.state,
        "done": progress.done,
        "total": progress.total,
        "workers": [line.worker.name.partition("@")[0] for line in progress.workers],
    }


def mark_at_once() -> dict[str, Any]:
    """Five annotators answer the same series in the same moment, each twice over."""
    study = Study.objects.get(slug=STUDY)
    campaign = Campaign.objects.create(study=study, name="Five", slug="five", state="open")
    series = Series.objects.first()
    assert series is not None
    task = Task.objects.create(campaign=campaign, series=series, position=1)
    people = [_annotator(campaign, task, number) for number in range(5)]

    with ThreadPoolExecutor(max_workers=10) as pool:
        clicks = [(person, uuid.uuid4(), 100 + i) for i, person in enumerate(people)] * 2
        futures = [pool.submit(_save, task, *click) for click in clicks]
        revisions = [future.result() for future in futures]
    truth = GroundTruth.objects.get(task=task)
    return {
        "marks": task.marks.count(),
        "revisions": sorted(set(revisions)),
        "complete": truth.complete,
        "steady_start": truth.steady_start,
    }


def first_account_at_once() -> dict[str, Any]:
    """Two make the first account in the same moment; who has joined this study does not count."""
    users_before = set(User.objects.values_list("pk", flat=True))

    def nobody() -> bool:
        time.sleep(0.2)  # so that both look before either has stored
        return not User.objects.exclude(pk__in=users_before).exists()

    def make(name: str) -> bool:
        account = accounts.make_first_account(lambda: User.objects.create_user(name))
        connection.close()
        return account is not None

    with (
        patch.object(accounts, "may_make_first_account", nobody),
        ThreadPoolExecutor(max_workers=2) as pool,
    ):
        have_made = sorted(pool.map(make, ["first", "second"]))
    new_users = User.objects.exclude(pk__in=users_before)
    return {"made": have_made, "accounts": new_users.delete()[1].get("people.User", 0)}


@transaction.atomic
def copy() -> dict[str, Any]:
    """Somebody brings a part of an open series into a study of their own; nothing of it stays."""
    original = Series.objects.filter(benchmark__dataset__study__slug=STUDY).order_by("pk")[0]
    person = User.objects.create_user("copier")
    study = original.benchmark.dataset.study
    Membership.objects.create(study=study, user=person, role=Role.ANNOTATOR)
    own_study = Study.objects.create(name="Own", slug="own")
    Membership.objects.create(study=own_study, user=person, role=Role.OWNER)
    dataset = Dataset.objects.create(study=own_study, name="Copies", slug="copies")
    values = np.ascontiguousarray(1000 * original.array()[200:-1])
    import_measurements(
        dataset, [Measurement(benchmark="copy", label="copy", values=values)], "copy"
    )
    copied_series = Series.objects.get(benchmark__dataset=dataset)
    outcome = {
        "one group": copied_series.copy_group == original.pk,
        "open": blind.is_open(person, copied_series),
        "known": blind.is_copy_of_open(person, values[:-1]),
        "another known": blind.is_copy_of_open(person, values[::2].copy()),
    }
    transaction.set_rollback(True)
    return outcome


def _annotator(campaign: Campaign, task: Task, number: int) -> User:
    user = User.objects.create_user(f"person-{number}")
    Membership.objects.create(study=campaign.study, user=user, role=Role.ANNOTATOR)
    Annotator.objects.create(campaign=campaign, user=user, pseudonym=f"a{number + 1}")
    Assignment.objects.create(task=task, user=user, order=0)
    return user


def _save(task: Task, user: User, client_id: uuid.UUID, index: int) -> int:
    try:
        mark = annotate.save_mark(
            task,
            by=user,
            client_id=client_id,
            digest=task.series.digest,
            kind="steady",
            index=index,
        )
        return mark.revision
    finally:
        connection.close()


@override_settings(STORAGES=UNCOLLECTED)
def hostile_uploads(names: list[str]) -> dict[str, Any]:
    """Hostile files of these names by the page, tables as commands do, requests with NUL.

    What of them was answered in another way than with a page, a sentence or 400.
    """
    client, study = Client(), Study.objects.get(slug=STUDY)
    client.force_login(User.objects.get(username="olga"))
    study_address = f"/s/{STUDY}/"
    files = [SimpleUploadedFile(normal(name), hostile.MEASUREMENTS[name]) for name in names]
    response = client.post(
        f"{study_address}import/", {"files": files}, follow=True
    )  # the page of all
    pages = {f"{study_address}import/": response.status_code}
    waiting_uploads = list(study.imports.filter(uploads.WAITING))
    pages |= {
        upload.file_name: page_alone(client, upload).status_code for upload in waiting_uploads
    }
    form = {
        "uploads": [upload.public_id for upload in waiting_uploads],
        "dataset": "+",
        "name": "hostile",
    }
    form |= {"on_problems": "leave-out"}
    pages["confirmation"] = client.post(f"{study_address}import/confirmation/", form).status_code
    nul = {
        address: client.get(address).status_code
        for address in (
            f"{study_address}%00/",
            f"{study_address}?q=%00",
            f"{study_address}data/%00/?%00=1",
        )
    }
    nul["form"] = client.post(f"{study_address}import/", {"numbers": "\0"}).status_code
    return {
        "files": len(waiting_uploads),
        "pages": {
            name: page_status
            for name, page_status in pages.items()
            if page_status not in {200, 302}
        },
        "stored": study.imports.filter(state="done", file_name="mark.json").count(),
        "faults": list(study.imports.filter(error=FAULT).values_list("file_name", flat=True)),
        "nul": {name: page_status for name, page_status in nul.items() if page_status != 400},
        "tables": _hostile_tables(study),
    }


def _hostile_tables(study: Study) -> list[str]:
    """Hostile tables of marks and answers, brought as commands do; what raised no sentence."""
    faults = []
    for name, data in hostile.TABLES.items():
        try:
            rows = list(marks.read_marks(BytesIO(data), name))
            importing.import_marks(study, "hostile", rows, file=name)
        except FormatError:
            pass
        except Exception as fault:  # noqa: BLE001  # what the test is about
            faults.append(f"{name}: {fault!r}")
        held_method = own_methods.hold_upload(study, [data], name, user=None)
        own_methods.check_waiting_file(held_method)
        own_methods.discard_waiting_file(held_method)
    return faults


def back_up_and_restore(folder: str) -> dict[str, Any]:
    """A dump is restored cut in half, then whole, over a study that was made after it."""
    whole_backup, cut_backup = Path(folder, "whole.backup"), Path(folder, "cut.backup")
    series_count = Series.objects.count()
    call_command("backup", str(whole_backup), stdout=StringIO())
    content = whole_backup.read_bytes()
    cut_backup.write_bytes(content[: len(content) // 2])
    Study.objects.create(name="Later", slug="later")
    try:
        refusal = f"nothing: {call_command('restore', str(cut_backup), stdout=StringIO())}"
    except CommandError as refused:
        refusal = str(refused)
    after_cut = sorted(Study.objects.values_list("slug", flat=True))
    call_command("restore", str(whole_backup), stdout=StringIO())
    return {
        "said": refusal,
        "after the cut one": after_cut,
        "after the whole one": sorted(Study.objects.values_list("slug", flat=True)),
        "series": [series_count, Series.objects.count()],
    }


def import_in_the_background(points: int) -> dict[str, Any]:
    """Four series through an upload, stored by the process that a page starts for large files.

    `grown` are the bytes by which this process, which stands for the web's, grew meanwhile.
    """
    file, noise = BytesIO(), np.random.default_rng(3).exponential(1.0, (4, points))
    np.savez(file, **{f"a{number}": values for number, values in enumerate(noise)})
    study, olga = Study.objects.get(slug=STUDY), User.objects.get(username="olga")
    dataset = create_dataset(study, name="Large")
    files_before = set(folder().iterdir())
    upload = uploads.store_upload(study, [file.getvalue()], "large.npz", by=olga)
    order = ImportOrder(dataset, RecordingDetails(), "stop")
    memory_sizes = [_anonymous_bytes()]
    job = jobs.begin_import([upload], order)

    def ended() -> bool:
        memory_sizes.append(_anonymous_bytes())
        return jobs.progress(job) is None

    _until(ended, every=0.05)
    upload.refresh_from_db()
    series = Series.objects.filter(benchmark__dataset=dataset).order_by("benchmark__name")
    outcome = {
        "state": upload.state,
        "equal": [
            bool((s.array() == values).all()) for s, values in zip(series, noise, strict=True)
        ],
        "left": [path.name for path in {*folder().iterdir()} - files_before],
        "grown": max(memory_sizes) - memory_sizes[0],
    }
    dataset.delete()  # other tests count what is stored
    return outcome


def _anonymous_bytes() -> int:
    """What this process holds of memory that no file backs."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    (line,) = (memory_line for memory_line in lines if memory_line.startswith("RssAnon:"))
    return int(line.split()[1]) * 1024


def _until_ended(job: Job) -> None:
    """Sweep as its page does, until it has ended."""

    def ended() -> bool:
        work.sweep(job)
        job.refresh_from_db()
        return job.finished is not None

    _until(ended)


def _until(ready: Callable[[], bool], *, seconds: float = 120.0, every: float = 0.2) -> None:
    limit = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > limit:
            raise SystemExit(f"waited {seconds:.0f} s in vain")
        time.sleep(every)


STEPS: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        fill,
        start,
        kill_in_the_middle,
        interrupt,
        watch,
        compare,
        explore,
        know,
        end_of_exploration,
        kill_an_exploration,
        watch_exploration,
        deliver_again,
        units,
        newest_report,
        drain,
        forget,
        broker_process,
        ask,
        connection_settings,
        sign_in_beside_a_lock,
        page,
        copy,
        mark_at_once,
        first_account_at_once,
        hostile_uploads,
        back_up_and_restore,
        import_in_the_background,
    )
}


def answer_forever() -> None:
    """A line asks for a step, as JSON; a line answers. Ends with its input."""
    for line in sys.stdin:
        step, *arguments = json.loads(line)
        outcome = STEPS[step](*arguments)
        connection.close()  # nothing of this step is held while others are at work
        sys.stdout.write(json.dumps(outcome) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    answer_forever()
