"""Security keys as a second factor, with the setting on: `test_sso` runs them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from people.models import AuditEvent, User
from people.sso import second_factor, security_keys
from tests.conftest import PASSWORD
from tests.sso.cases import audit_lines, code_of, in_session, stop_clock, with_password
from tests.sso.software_key import SoftwareKey

__all__ = ["stop_clock"]  # a fixture
pytestmark = pytest.mark.django_db
OVERVIEW, NEW = reverse("second-factor"), reverse("security-keys")
STEP = reverse("mfa_authenticate")
GARBAGE: list[Any] = [
    "", "{", "3", '"a"', "[]", "{}", '{"id": 1}', '{"id": "a", "rawId": "a", "response": {}}',
    ('{"id": "YQ", "rawId": "YQ", "response": {"clientDataJSON": "e30", "attestationObject": "oA",'
    ' "authenticatorData": "YQ", "signature": "YQ"}, "type": "public-key"}'),
]  # fmt: skip


def send_form(client: Client, address: str, answer: Any, **fields: Any) -> Any:
    """The form of `address` with what a key, or nobody, answered."""
    return client.post(
        address, {"credential": answer if isinstance(answer, str) else json.dumps(answer), **fields}
    )


def options_of(client: Client, address: str) -> Any:
    return json.loads(json.dumps(client.get(address).context["options"]))


@pytest.fixture
def key() -> SoftwareKey:
    return SoftwareKey()


@pytest.fixture
def key_response(client: Client, ana: User, key: SoftwareKey) -> Any:
    """Ana has added `key`, by the page."""
    client.force_login(ana)
    answer = key.made(options_of(client, NEW))
    return send_form(client, NEW, answer, name="blue key", password=PASSWORD)


def test_the_first_key_brings_recovery_codes_and_a_line_and_ends_other_sessions(
    client: Client, ana: User, key: SoftwareKey
) -> None:
    other_client = Client()
    other_client.force_login(ana)
    client.force_login(ana)
    answer = key.made(options_of(client, NEW))

    response = send_form(client, NEW, answer, name="blue key", password=PASSWORD)

    assert len(response.context["codes"]) == 10
    assert [key.name for key in security_keys.list_keys(ana)] == ["blue key"]
    assert ("key-added", "ana", "ana: blue key") in audit_lines()
    assert [in_session(client), in_session(other_client)] == [str(ana), "AnonymousUser"]


def test_a_second_key_and_an_app_keep_the_recovery_codes(
    key_response: Any, client: Client, ana: User
) -> None:
    answer = SoftwareKey().made(options_of(client, NEW))
    key_reply = send_form(client, NEW, answer, name="phone", password=PASSWORD)
    app = reverse("second-factor-app")
    key_of_app = client.get(app).context["secret"]
    app_reply = client.post(app, {"code": code_of(key_of_app), "password": PASSWORD})

    assert [response["Location"] for response in (key_reply, app_reply)] == [OVERVIEW, OVERVIEW]
    overview = client.get(OVERVIEW)
    assert [k.name for k in overview.context["keys"]] == ["blue key", "phone"]
    assert overview.context["codes_left"] == 10
    assert second_factor.accepts(ana, key_response.context["codes"][0])


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({}, {"password": "no"}),
        ({}, {"name": ""}),
        ({"origin": "https://evil.testserver"}, {}),
        ({"origin": "http://testserver"}, {}),
        ({"host": "example.org"}, {}),
    ],
)
def test_a_key_is_not_added_from_elsewhere_or_without_the_password(
    client: Client, ana: User, key: SoftwareKey, change: dict[str, str], fields: dict[str, str]
) -> None:
    client.force_login(ana)
    answer = replace(key, **change).made(options_of(client, NEW))  # type: ignore[arg-type]

    response = send_form(client, NEW, answer, **{"name": "a", "password": PASSWORD, **fields})

    assert response.context["form"].errors
    assert not second_factor.is_on(ana)


def test_a_key_is_added_once_and_to_the_session_that_asked_for_it(
    key_response: Any, client: Client, ana: User, key: SoftwareKey
) -> None:
    answer = key.made(options_of(client, NEW))
    twice = send_form(client, NEW, answer, name="again", password=PASSWORD)
    options_of(client, NEW)
    late = send_form(client, NEW, SoftwareKey().made(twice.context["options"]), name="late")

    assert twice.context["form"].errors["credential"] == ["This key is there already."]
    assert "Load the page anew" in late.context["form"].errors["credential"][0]
    assert len(security_keys.list_keys(ana)) == 1


def test_ten_keys_are_the_most(key_response: Any, client: Client, ana: User) -> None:
    row = Authenticator.objects.get(type="webauthn")
    for _ in range(9):
        row.pk = None
        row.save()

    response = send_form(client, NEW, SoftwareKey().made(options_of(client, NEW)), name="a")

    assert "10 keys are the most" in response.context["form"].errors["credential"][0]


def test_a_password_and_the_key_sign_in(key_response: Any, ana: User, key: SoftwareKey) -> None:
    client = Client()
    assert with_password(client, reverse("account"))["Location"] == STEP
    options = options_of(client, STEP)
    assert in_session(client) == "AnonymousUser"

    response = send_form(client, STEP, key.signed(options))

    assert response["Location"] == reverse("account")
    assert audit_lines()[-1] == ("sign-in", "ana", "with a key")
    assert security_keys.list_keys(ana)[0].used
    second_client = Client()
    with_password(second_client)
    assert (
        send_form(second_client, STEP, key.signed(options)).status_code == 200
    )  # that number is used up
    assert in_session(second_client) == "AnonymousUser"


@pytest.mark.parametrize(
    "change",
    [
        {"id": b"another"},
        {"private": SoftwareKey().private},
        {"origin": "https://evil.testserver"},
        {"host": "example.org"},
    ],
    ids=["another key", "another signature", "another page", "another host"],
)
def test_a_wrong_key_is_refused_with_a_sentence_and_counted(
    key_response: Any, key: SoftwareKey, change: dict[str, Any]
) -> None:
    client = Client()
    with_password(client)

    response = send_form(client, STEP, replace(key, **change).signed(options_of(client, STEP)))

    assert "This is no answer of a key of this account" in response.content.decode()
    assert in_session(client) == "AnonymousUser"
    assert audit_lines()[-1] == ("sign-in-refused", "ana", "wrong key")


def test_wrong_keys_and_codes_count_together_until_the_person_waits(
    key_response: Any, key: SoftwareKey
) -> None:
    for number in range(5):
        other_client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        with_password(other_client)
        send_form(other_client, STEP, {"id": "a"})
    client = Client()
    with_password(client)

    response = send_form(client, STEP, key.signed(options_of(client, STEP)))

    assert "Too many wrong codes: try again in five minutes." in response.content.decode()


def test_garbage_is_refused_with_a_sentence_on_both_pages(
    key_response: Any, client: Client
) -> None:
    step_client = Client()
    with_password(step_client)
    for garbage in GARBAGE:
        cache.clear()  # of what counts wrong ones
        options_of(client, NEW)
        options_of(step_client, STEP)
        forms = [
            send_form(client, NEW, garbage, name="a", password=PASSWORD).context["form"],
            send_form(step_client, STEP, garbage).context["key_form"],
        ]
        assert [bool(form.errors["credential"]) for form in forms] == [True, True], garbage


def test_a_recovery_code_stands_in_the_place_of_a_key(key_response: Any) -> None:
    client = Client()
    with_password(client)
    client.post(STEP, {"code": key_response.context["codes"][0]})

    assert in_session(client) == "ana"


def test_renaming_and_removal_need_the_password_and_are_noted(
    key_response: Any, client: Client, ana: User
) -> None:
    address = reverse("security-key", args=[security_keys.list_keys(ana)[0].slug])
    removal_address = f"{address}removal/"
    for password in ("no", PASSWORD):
        client.post(address, {"name": "red key", "password": password})
        client.post(removal_address, {"name": "red key", "password": "no"})
    assert [key.name for key in security_keys.list_keys(ana)] == ["red key"]

    client.post(removal_address, {"name": "red key", "password": PASSWORD})

    assert [event[0] for event in audit_lines()[-3:]] == [
        "key-renamed",
        "key-removed",
        "second-factor-off",
    ]
    assert Authenticator.objects.count() == 0  # recovery codes went with the last key
    assert client.get(address).status_code == 404


def test_removing_an_app_leaves_the_keys_and_the_codes(
    key_response: Any, client: Client, ana: User
) -> None:
    second_factor.set_up_codes(ana, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    client.post(reverse("app-removal"), {"password": PASSWORD})

    assert (second_factor.has_app(ana), second_factor.is_on(ana)) == (False, True)
    assert second_factor.unused_code_count(ana) == 10
    assert audit_lines()[-1][0] == "app-removed"


def test_a_key_of_another_person_is_neither_shown_nor_good(
    key_response: Any, ana: User, vic: User, key: SoftwareKey
) -> None:
    other_client = Client()
    other_client.force_login(vic)
    address = reverse("security-key", args=[security_keys.list_keys(ana)[0].slug])

    assert [
        other_client.get(address).status_code,
        other_client.post(f"{address}removal/").status_code,
    ] == [404, 404]
    second_factor.set_up_codes(vic, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    client = Client()
    client.post(reverse("sign-in"), {"username": "vic", "password": PASSWORD})
    assert client.get(STEP).context["options"] is None
    send_form(client, STEP, key.signed({"publicKey": {"challenge": "YQ"}}))
    assert in_session(client) == "AnonymousUser"


def test_who_has_no_password_proves_changes_with_a_code(
    key_response: Any, client: Client, ana: User
) -> None:
    ana.set_unusable_password()
    ana.save()
    client.force_login(ana)
    code = key_response.context["codes"][0]
    answer = SoftwareKey().made(options_of(client, NEW))
    unproven_response = send_form(client, NEW, answer, name="phone", proof="00000000")
    answer = SoftwareKey().made(options_of(client, NEW))
    nameless_response = send_form(client, NEW, answer, name="", proof=code)

    assert [
        list(response.context["form"].errors) for response in (unproven_response, nameless_response)
    ] == [["proof"], ["name"]]
    answer = SoftwareKey().made(options_of(client, NEW))
    response = send_form(
        client, NEW, answer, name="phone", proof=code
    )  # which `unnamed` left unused
    assert response["Location"] == OVERVIEW
    assert AuditEvent.objects.filter(action="key-added").count() == 2
