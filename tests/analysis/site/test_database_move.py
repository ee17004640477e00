"""What is not moved into another database, and why; tests/stack moves into PostgreSQL."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from analysis.site import database_move
from people.models import Study, User

pytestmark = pytest.mark.django_db


def refusal_words(url: str) -> str:
    with pytest.raises(CommandError) as error_info:
        call_command("move", "--to", url)
    return str(error_info.value)


@pytest.mark.parametrize(
    ("url", "word"),
    [("nonsense", "is unknown"), ("postgres://nobody@127.0.0.1:9/x", "Connection refused")],
)
def test_what_cannot_be_moved_to_is_said_before_a_process_is_started(
    url: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_move, "_migrate", lambda url: pytest.fail(f"migrates {url}"))

    assert word in refusal_words(url)


def test_an_older_database_is_migrated_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_move, "unapplied_migration_count", lambda: 1)

    assert "type python manage.py migrate" in refusal_words("sqlite:///never.sqlite3")


def test_rows_of_a_setting_that_is_off_again_are_not_left_behind() -> None:
    MigrationRecorder(connection).record_applied("socialaccount", "0001_initial")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE socialaccount_socialapp (id integer)")
        refusal = refusal_words("nonsense")
        cursor.execute("INSERT INTO socialaccount_socialapp VALUES (1)")

    assert "is unknown" in refusal
    assert "socialaccount_socialapp: found rows" in refusal_words("nonsense")
    assert "PLATEAU_OIDC_ISSUER as they were" in refusal_words("nonsense")


def test_digests_tell_every_difference(olga: User, study: Study) -> None:
    digest_before = database_move.digest(Study, "default")

    Study.objects.filter(pk=study.pk).update(name=f"{study.name}.")
    digest_after = database_move.digest(Study, "default")
    study.delete()

    assert len({digest_before, digest_after, database_move.digest(Study, "default")}) == 3
