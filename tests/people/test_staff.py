"""Who runs the installation: staff make studies in production, and see its status."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from people.models import AuditEvent, Study, User


def printed_words(*words: str, **options: Any) -> list[str]:
    output = StringIO()
    call_command("staff", *words, stdout=output, **options)
    return output.getvalue().split()


def test_only_staff_make_studies_where_the_setting_says_so(
    client: Client, ana: User, settings: Any
) -> None:
    settings.STUDY_CREATORS = "staff"
    client.force_login(ana)
    home, address, form = "/", reverse("study-new"), {"name": "Mine"}

    refused_responses = client.get(address), client.post(address, form)
    had_link = address in client.get(home, follow=True).content.decode()
    printed_words("ana")

    assert [response.status_code for response in refused_responses] == [403, 403]
    assert "ask whoever runs it" in refused_responses[0].content.decode().lower()
    assert not had_link
    assert address in client.get(home, follow=True).content.decode()
    assert client.post(address, form).status_code == 302
    assert Study.objects.filter(name="Mine").exists()


def test_anybody_makes_studies_where_the_setting_says_so(
    client: Client, ana: User, settings: Any
) -> None:
    settings.STUDY_CREATORS = "anybody"
    client.force_login(ana)

    assert client.post(reverse("study-new"), {"name": "Mine"}).status_code == 302


def test_an_owner_who_is_no_staff_sees_no_status(client: Client, olga: User, study: Study) -> None:
    client.force_login(olga)
    response_before = client.get(reverse("status"))
    printed_words("olga")

    assert response_before.status_code == 403
    assert client.get(reverse("status")).status_code == 200


def test_the_command_lists_makes_and_ends(ana: User, olga: User) -> None:
    assert printed_words() == []
    assert printed_words("ana") == ["ana"]
    assert printed_words("olga") == ["ana", "olga"]
    assert printed_words("ana", remove=True) == ["olga"]
    with pytest.raises(CommandError, match="no person named 'nobody'"):
        printed_words("nobody")


def test_the_last_enabled_staff_account_stays(ana: User, olga: User) -> None:
    printed_words("ana")
    printed_words("olga")
    User.objects.filter(pk=olga.pk).update(is_active=False)  # cannot sign in: counts as none

    with pytest.raises(CommandError, match="staff: ana is the last enabled staff account"):
        printed_words("ana", remove=True)
    User.objects.filter(pk=olga.pk).update(is_active=True)
    changes = AuditEvent.objects.filter(action="staff")

    assert printed_words("ana", remove=True) == ["olga"]
    assert changes.count() == 3  # the refused one is not among them


def test_the_status_page_has_quotas_and_limits(client: Client, olga: User, study: Study) -> None:
    printed_words("olga")
    client.force_login(olga)

    page = client.get(reverse("status")).content.decode()

    assert f'data-quota="{study.slug}"' in page
    assert 'data-limit="requests of the API"' in page
    assert 'data-limit="wrong passwords"' in page
