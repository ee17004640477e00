"""`manage.py make_token`: a token for a program, without a browser."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from people.audit import Action
from people.models import AuditEvent, Study, User


def run_make_token(*words: str) -> tuple[str, str]:
    """What it prints for a program, and for a person."""
    output, err = StringIO(), StringIO()
    call_command("make_token", *words, stdout=output, stderr=err)
    return output.getvalue(), err.getvalue()


def test_the_token_alone_is_printed_and_is_good(study: Study, olga: User) -> None:
    secret, message = run_make_token(study.slug, "--name", "nightly", "--scope", "read", "import")

    assert secret.count("\n") == 1
    client = Client(headers={"authorization": f"Bearer {secret.strip()}"})
    assert client.get("/api/v1/study").json()["slug"] == study.slug
    token = study.tokens.get()
    assert (token.by, token.name, token.scopes) == (olga, "nightly", "read import")
    assert "for 90 days" in message
    assert secret.strip() not in message
    assert AuditEvent.objects.filter(action=Action.TOKEN_MADE, study=study).exists()


def test_a_member_is_named_and_it_may_last_for_ever(study: Study, olga: User, vic: User) -> None:
    run_make_token(study.slug, "--name", "x", "--by", "vic", "--days", "0")

    assert (study.tokens.get().by, study.tokens.get().expires) == (vic, None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere", "--name", "x"], "found no study 'nowhere', expected one of: startup-times"),
        (["startup-times", "--name", " "], "--name: found 0 characters"),
        (["startup-times", "--name", "x" * 81], "--name: found 81 characters"),
        (["startup-times", "--name", "x", "--days", "-1"], "--days: found -1"),
        (["startup-times", "--name", "x", "--by", "nobody"], "a member named 'nobody'"),
        (["startup-times", "--name", "x", "--scope", "all"], "invalid choice"),
    ],
)
def test_a_mistake_is_a_sentence(study: Study, olga: User, words: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said) as mistake:
        run_make_token(*words)

    assert mistake.value.returncode in {1, 2}
    assert not study.tokens.exists()
