"""One migration makes all tables of an app; an older installation takes the steps that it lacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

OURS = ("people", "series", "annotate", "analysis")
Step = tuple[str, str]


@pytest.fixture(scope="module")
def disk() -> MigrationLoader:
    """Every migration file, as if there were no database."""
    return MigrationLoader(None)


def squashed(disk: MigrationLoader) -> dict[Step, Sequence[Step]]:
    """By app the one migration that makes its tables: the steps that it stands for."""
    ours = {key: each for key, each in disk.disk_migrations.items() if key[0] in OURS}
    return {key: each.replaces for key, each in ours.items() if each.replaces}


def history(disk: MigrationLoader, first: str) -> Iterator[Step]:
    """The single steps of all apps, those of one app as early as their dependencies allow."""
    whole = squashed(disk)
    left = sorted(key for key in disk.disk_migrations if key[0] in OURS and key not in whole)
    done: set[Step] = set()

    def ready(step: Step) -> bool:
        named = [each for each in disk.disk_migrations[step].dependencies if each[0] in OURS]
        needed = {one for each in named for one in whole.get(each, [each])}
        return needed - {("people", "__first__")} <= done

    while left:
        step = min(filter(ready, left), key=lambda each: (each[0] != first, each[1], each[0]))
        left.remove(step)
        done.add(step)
        yield step


def planned(applied: set[Step], monkeypatch: pytest.MonkeyPatch) -> list[Step]:
    """What `migrate` does for our apps where `applied` is done; raises if that cannot be."""
    stored = dict.fromkeys(applied)
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _: stored.copy())
    executor = MigrationExecutor(connection)
    executor.loader.check_consistent_history(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [(each.app_label, each.name) for each, _ in plan if each.app_label in OURS]


def before_ours(disk: MigrationLoader) -> set[Step]:
    """All migrations of other apps, but of those that point at our accounts."""
    after = {
        app
        for (app, _), migration in disk.disk_migrations.items()
        if any(dependency[0] in OURS for dependency in migration.dependencies)
    }
    return {key for key in disk.disk_migrations if key[0] not in {*OURS, *after}}


def lacking(disk: MigrationLoader, applied: set[Step]) -> set[Step]:
    """Per app the one migration where none of its steps is done, else those that are not."""
    whole = squashed(disk)
    unused = {key for key, parts in whole.items() if not applied.isdisjoint(parts)}
    covered = {part for key, parts in whole.items() if key not in unused for part in parts}
    return {key for key in disk.disk_migrations if key[0] in OURS} - unused - covered - applied


def test_a_new_database_takes_one_migration_of_each_app(
    disk: MigrationLoader, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = planned(set(), monkeypatch)

    assert sorted(app for app, _ in squashed(disk)) == sorted(OURS)
    assert squashed(disk).keys() <= set(plan)
    assert set(plan) == lacking(disk, set())


@pytest.mark.parametrize("first", OURS)
def test_an_installation_part_way_takes_the_steps_that_it_lacks(
    disk: MigrationLoader, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = list(history(disk, first))
    others = before_ours(disk)

    assert len(order) >= 60
    for done in range(1, len(order) + 1):
        applied = set(order[:done])
        plan = planned(applied | others, monkeypatch)
        assert len(plan) == len(set(plan))
        assert set(plan) == lacking(disk, applied), order[:done]
