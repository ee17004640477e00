"""The cast of every test, and how hypothesis behaves."""

from __future__ import annotations

import atexit
import gc
import os
import signal
from pathlib import Path

# Nothing of what is imported and collected is garbage: not to look for any saves a third of it.
# Hence no setting of pytest-django's tells it the settings, for it would load them before this.
gc.disable()
atexit.register(gc.freeze)  # nor is anything looked for when all goes

# A program that is started in the background ignores Ctrl-C, and so would all that it starts: tests
# that interrupt one would wait in vain.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Compiled kernels are kept for the next run, in any checkout: compiling is most of a cold run.
_user_cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
os.environ.setdefault("NUMBA_CACHE_DIR", str(_user_cache / "plateau" / "numba-tests"))
# Threads of numerical libraries that wait for a busy core take all of the others: of training alone
# they made ten times the work.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Synchronous database access from browser tests, whose driver runs an event loop.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()  # before any model is imported

import fcntl
import hashlib
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from types import SimpleNamespace

import numpy as np
import pytest
from _pytest import main as pytest_main
from celery import current_app
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connection
from django.template import Context, Template
from django.test import Client, TransactionTestCase
from django.test.signals import template_rendered
from django.test.utils import override_settings
from django.utils.safestring import SafeString
from hypothesis import settings as hypothesis_settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from pytest_django import DjangoDbBlocker

from annotate.models import Annotator, Assignment, Campaign, Task
from detectors.compilation.stack_room import with_stack_room
from detectors.panel.copies import as_bytes, sketch, value_sketch
from people import throttle
from people.models import Membership, Role, Study, User
from series.drawings.outlines import draw_outline
from series.importing.services import choose_shown
from series.models import (
    Benchmark,
    Dataset,
    Recording,
    Series,
    SeriesShape,
    SeriesSketch,
    SeriesValues,
)
from series.shape_facts import shape_row
from tests.every_case import EVERY_CASE
from tests.replayed_rows import replayed

# Drawn examples are the same in every run, hence few here and all of them in `make test-every`.
# Kernels as written take thousands of times as long, and fail on the first values of a kind.
_uncompiled = os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"
hypothesis_settings.register_profile(
    "plateau",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=10 if _uncompiled else 100 if EVERY_CASE else 40,
)
hypothesis_settings.load_profile("plateau")
# Numbers and words of the modules that happen to be imported would be tried, too: other ones after
# other tests. With none of them the same examples are drawn in every order of the tests.
providers._get_local_constants = Constants

PASSWORD = "five-people-one-series"
FILLED_TABLES = {"auth_permission", "django_content_type"}
CPU_BEFORE = pytest.StashKey[float]()


def pytest_collection(session: pytest.Session) -> bool:
    with_stack_room(session.perform_collect)()
    return True


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Run the tests as pytest does, with room for their frames: a sixth less of CPU seconds."""
    return with_stack_room(pytest_main.pytest_runtestloop)(session)


def pytest_collection_finish() -> None:
    """Thousands of tests are kept to the end: not to look at them again and again saves a tenth.

    And what a test makes is looked at less often than is usual: a twentieth, for 20 MB of memory.
    """
    gc.freeze()
    gc.set_threshold(400_000, 20, 100)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    item.stash[CPU_BEFORE] = cpu_seconds()
    yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Note CPU seconds of the test in the report, from which `make test` sums them by file."""
    yield
    used_seconds = cpu_seconds() - item.stash[CPU_BEFORE]
    item.user_properties.append(("cpu_seconds", round(used_seconds, 2)))


def cpu_seconds() -> float:
    """CPU seconds of this process and of the ended children that it waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A file instead of memory: threads of a live server that share a database in memory refuse
    one another's tables at once, where those of a file wait, as they do in use."""
    if connection.vendor == "sqlite":
        name = tmp_path_factory.mktemp("database") / "test.sqlite3"
        connection.settings_dict["TEST"]["NAME"] = str(name)
    elif template := os.environ.get("PLATEAU_TEST_TEMPLATE"):  # migrated already
        connection.settings_dict["TEST"] |= {"TEMPLATE": template, "MIGRATE": False}


def is_one_of_several() -> bool:
    worker_names = {"PYTEST_XDIST_WORKER", "PLATEAU_TEST_TEMPLATE"} & set(os.environ)
    return connection.vendor == "sqlite" and bool(worker_names)


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Whether a database that is there is the one to use: a copy of what another one migrated."""
    return is_one_of_several()


@contextmanager
def lock_of_file(path: Path) -> Iterator[None]:
    """Let other processes wait that want to make the same file."""
    with path.with_suffix(".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_modify_db_settings: None,
    django_db_blocker: DjangoDbBlocker,
) -> None:
    """Of several processes the first migrates, which takes seconds, and the others copy that."""
    if not is_one_of_several():
        request.getfixturevalue("django_db_setup")  # the one of pytest-django
        return
    database_path = tmp_path_factory.getbasetemp().parent / "migrated.sqlite3"
    migrated_path = Path(os.environ.get("PLATEAU_TEST_TEMPLATE") or database_path)
    with lock_of_file(migrated_path):
        first, test = not migrated_path.exists(), connection.settings_dict["TEST"]
        if not first:
            shutil.copy(migrated_path, test["NAME"])
            test["MIGRATE"] = False
        request.getfixturevalue("django_db_setup")
        if first:
            with django_db_blocker.unblock(), closing(sqlite3.connect(migrated_path)) as copy:
                connection.connection.backup(copy)


@pytest.fixture(scope="session", autouse=True)
def _quick_settings() -> Iterator[None]:
    """Slow hashing protects real passwords; here it would be most of the suite's time.

    Changed once: told to a dozen receivers before and after each test, a setting is no less slow.
    """
    with override_settings(
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
    ):
        yield


@pytest.fixture(scope="session", autouse=True)
def _keep_page_contexts_only(django_test_environment: None) -> Iterator[None]:
    """An answer keeps the context of its page alone: to copy that of each template it includes,
    and of each widget, takes a tenth of a page.
    """

    def render_noting_pages(template: Template, context: Context) -> SafeString:
        if context.template is template and not str(template.name).startswith("django/forms/"):
            template_rendered.send(sender=template, template=template, context=context)
        return template.nodelist.render(context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render_noting_pages)
        yield


@pytest.fixture(scope="session", autouse=True)
def _tables_are_emptied() -> Iterator[None]:
    """A test that commits leaves tables empty, but those that `migrate` fills: to fill these again
    takes 25 ms a test.
    """

    def empty_tables(_: TransactionTestCase) -> None:
        names = connection.introspection.django_table_names(only_existing=True, include_views=False)
        tables = [name for name in names if name not in FILLED_TABLES]
        connection.ops.execute_sql_flush(connection.ops.sql_flush(no_style(), tables))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_tables)
        yield


@pytest.fixture(scope="session", autouse=True)
def _throttle_clock() -> Iterator[SimpleNamespace]:
    """Clock of throttles, which stands still."""
    clock = SimpleNamespace(now=0.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(throttle, "time", SimpleNamespace(time=lambda: clock.now))
        yield clock


@pytest.fixture(autouse=True)
def _reset_cache_and_throttle(_quick_settings: None, _throttle_clock: SimpleNamespace) -> None:
    """Begin with an empty cache, as with an empty database, and with a throttle's window that does
    not end, however long the test takes.
    """
    cache.clear()
    _throttle_clock.now = time.time()


@pytest.fixture
def study(db: None) -> Study:
    return Study.objects.create(name="Startup times", slug="startup-times")


@pytest.fixture
def make_person(study: Study) -> Callable[..., User]:
    def make(name: str, role: str | None) -> User:
        user = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
        if role:
            Membership.objects.create(study=study, user=user, role=role)
        return user

    return make


@pytest.fixture
def olga(make_person: Callable[..., User]) -> User:
    """Owns the study."""
    return make_person("olga", Role.OWNER)


@pytest.fixture
def ana(make_person: Callable[..., User]) -> User:
    """Annotates."""
    return make_person("ana", Role.ANNOTATOR)


@pytest.fixture
def ben(make_person: Callable[..., User]) -> User:
    """Annotates too."""
    return make_person("ben", Role.ANNOTATOR)


@pytest.fixture
def vic(make_person: Callable[..., User]) -> User:
    """Views."""
    return make_person("vic", Role.VIEWER)


@pytest.fixture
def as_vic(client: Client, vic: User) -> Client:
    """The browser of somebody who views."""
    client.force_login(vic)
    return client


@pytest.fixture
def stranger(db: None) -> User:
    """Signs in, but is in no study."""
    return User.objects.create_user("stranger", "stranger@example.org", PASSWORD)


@pytest.fixture
def dataset(study: Study) -> Dataset:
    return Dataset.objects.create(study=study, name="Nightly", slug="nightly")


@pytest.fixture
def recording(dataset: Dataset) -> Recording:
    return Recording.objects.create(dataset=dataset, label="first")


@pytest.fixture
def make_series(dataset: Dataset, recording: Recording) -> Callable[..., Series]:
    """A stored series of given values; benchmark by name, forks counted up."""

    def make(
        values: object, name: str = "org.example.Sort.merge", fork: int = 0, **facts: object
    ) -> Series:
        array = np.ascontiguousarray(values, dtype="<f8")
        data = array.tobytes()
        benchmark, is_new = Benchmark.objects.get_or_create(
            dataset=dataset, system="example", name=name, params="", unit="s/op", mode="avgt"
        )
        last_half = array[array.size // 2 :]
        series = Series.objects.create(
            benchmark=benchmark,
            recording=recording,
            fork=fork,
            n=array.size,
            digest=hashlib.sha256(data).hexdigest(),
            minimum=array.min(),
            median=float(np.median(array)),
            maximum=array.max(),
            median_last_half=float(np.median(last_half)),
            robust_low=array.min() - 1,
            robust_high=array.max() + 1,
            scale=1.0,
            outline=draw_outline(array).outline,
            **facts,
        )
        SeriesValues.objects.create(series=series, data=data)
        hashes = {"hashes": sketch(array), "value_hashes": value_sketch(array)}
        SeriesSketch.objects.create(
            series=series, **{name: as_bytes(array_hashes) for name, array_hashes in hashes.items()}
        )
        SeriesShape.objects.create(series=series, **shape_row(array))
        if is_new or not fork:  # a later fork of the same recording is not what a list shows
            choose_shown([benchmark.pk])
        return series

    return make


@pytest.fixture
@replayed
def series(make_series: Callable[..., Series]) -> Series:
    """A step down at 40 of 120 values."""
    ripple = np.arange(120) % 7 * 0.01
    return make_series(np.where(np.arange(120) < 40, 2.0, 1.0) + ripple)


@pytest.fixture
def campaign(study: Study, olga: User, ana: User, ben: User) -> Campaign:
    """Open, with ana and ben as annotators; no series yet."""
    campaign = Campaign.objects.create(
        study=study, name="First look", slug="first-look", state=Campaign.State.OPEN
    )
    Annotator.objects.create(campaign=campaign, user=ana, pseudonym="a1")
    Annotator.objects.create(campaign=campaign, user=ben, pseudonym="a2")
    return campaign


@pytest.fixture
def make_task(campaign: Campaign) -> Callable[[Series], Task]:
    def make(series: Series) -> Task:
        position = campaign.tasks.count() + 1
        task = Task.objects.create(campaign=campaign, series=series, position=position)
        for annotator in campaign.annotators.all():
            Assignment.objects.create(task=task, user=annotator.user, order=position - 1)
        return task

    return make


@pytest.fixture
def task(make_task: Callable[[Series], Task], series: Series) -> Task:
    return make_task(series)


@pytest.fixture
def worker_here() -> Iterator[None]:
    """A queued unit of a job is worked on where it is queued."""
    settings_before = current_app.conf.task_always_eager, current_app.conf.task_eager_propagates
    current_app.conf.update(task_always_eager=True, task_eager_propagates=True)
    yield
    current_app.conf.task_always_eager, current_app.conf.task_eager_propagates = settings_before
