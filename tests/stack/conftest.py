"""Two installations, as people have them: PostgreSQL with Redis, SQLite with our own broker."""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path

import numpy as np
import psycopg
import pytest

from config import broker
from evidence.bench import servers
from evidence.bench.processes import ROOT, wait_until
from tests.conftest import lock_of_file
from tests.stack.installation import StackInstallation

SERIES, LENGTH = 20, 1400
MIGRATED = "migrated"  # the database that tests copy


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    stack_folder = Path(__file__).parent
    for item in items:
        if stack_folder in item.path.parents:
            item.add_marker(pytest.mark.stack)


@pytest.fixture(scope="session")
def measurements(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """20 simulated forks: a step down somewhere, then noise."""
    file = tmp_path_factory.mktemp("measurements") / "forks.csv"
    random = np.random.default_rng(7)
    iterations = np.arange(LENGTH)
    forks = [
        np.where(iterations < 40 * fork, 2.0, 1.0) + random.exponential(0.02, LENGTH)
        for fork in range(SERIES)
    ]
    lines = [
        f"sort,{f},{i},{value!r}"
        for f, fork in enumerate(forks)
        for i, value in enumerate(fork.tolist())
    ]
    file.write_text("\n".join(["benchmark,fork,iteration,value", *lines]) + "\n", encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """With an empty database MIGRATED, and nothing else: two files that meet in one process would
    find each other's people in it."""
    yield from _server_url(lambda: servers.postgres(migrated_cluster(tmp_path_factory)))


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of SQLite with empty tables, which tests copy; where other parts of the tests
    have migrated one, a copy of that."""
    target = tmp_path_factory.mktemp("migrated") / "plateau.sqlite3"
    template = Path(os.environ.get("PLATEAU_TEST_TEMPLATE") or target)
    with lock_of_file(template):
        if template.exists():
            shutil.copy(template, target)
        else:
            migrate(f"sqlite:///{target}")
    with closing(sqlite3.connect(target)) as database:
        database.execute("PRAGMA journal_mode = delete")  # its one file is all of it
    return target


def migrated_cluster(factory: pytest.TempPathFactory) -> Path:
    """A stopped one, of which each file takes a copy."""

    def make(target: Path) -> None:
        with servers.postgres(kept_path=target) as url:
            migrate(new_database(url, MIGRATED, template="template1"))

    return path_made_once(factory, "postgresql", make)


def path_made_once(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]
) -> Path:
    """What `make` puts at the path that it is given: of several processes the first calls it."""
    is_parallel = "PYTEST_XDIST_WORKER" in os.environ
    target = (factory.getbasetemp().parent if is_parallel else factory.getbasetemp()) / name
    with lock_of_file(target):
        if not target.exists():
            make(target)
    return target


@pytest.fixture(scope="session")
def older_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of SQLite that an earlier version made, in today's tables; tests copy it."""
    dump = gzip.decompress((ROOT / "tests/upgrade/last_steps.sql.gz").read_bytes()).decode()

    def make(target: Path) -> None:
        partial_path = target.with_suffix(".unfinished")
        with closing(sqlite3.connect(partial_path)) as database:
            database.executescript(dump)
        migrate(f"sqlite:///{partial_path}")
        partial_path.rename(target)

    return path_made_once(tmp_path_factory, "older_study.sqlite3", make)


def new_database(url: str, name: str, *, template: str = MIGRATED) -> str:
    """The address of a new database of a cluster: a copy of `template`.

    Files are copied: to log each page of them instead, as is usual, takes four times as long.
    """
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    return f"{url.rpartition('/')[0]}/{name}"


def migrate(url: str) -> None:
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0", "--skip-checks"]
    environment = os.environ | {"PLATEAU_MODE": "development", "DATABASE_URL": url}
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    yield from _server_url(servers.redis_server)


def _server_url(server: Callable[[], AbstractContextManager[str]]) -> Iterator[str]:
    """Its address. Where it is not installed, skips on a machine of one's own, and fails in CI."""
    try:
        with server() as url:
            yield url
    except servers.ServerMissing as missing:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(str(missing))


def fill_installation(installation: StackInstallation, measurements: Path) -> StackInstallation:
    """An owner and the measurements are in its empty tables."""
    assert installation.do("fill", str(measurements)) == SERIES
    return installation


@pytest.fixture(scope="module")
def on_postgres(postgres: str, redis_url: str, measurements: Path) -> Iterator[StackInstallation]:
    with tempfile.TemporaryDirectory(prefix="plateau-stack-") as data:
        url = new_database(postgres, "stack")
        installation = StackInstallation(Path(data), DATABASE_URL=url, REDIS_URL=redis_url)
        try:
            yield fill_installation(installation, measurements)
        finally:
            installation.close()


@pytest.fixture(scope="module")
def on_sqlite(measurements: Path, migrated_file: Path) -> Iterator[StackInstallation]:
    """A file and a socket: what `make run` starts, without its web server."""
    with tempfile.TemporaryDirectory(prefix="plateau-stack-") as name:
        data = Path(name)
        shutil.copy(migrated_file, data / "plateau.sqlite3")
        socket_path = broker.socket_for(data)
        program = broker.carried_program() or broker.server_program()
        command = broker.broker_command(program, socket=socket_path, folder=data)
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        installation = StackInstallation(data, PLATEAU_BROKER_SOCKET=str(socket_path))
        try:
            wait_until(socket_path.exists, seconds=10, goal="the broker to listen")
            yield fill_installation(installation, measurements)
        finally:
            installation.close()
            server.terminate()
            server.wait(timeout=10)
