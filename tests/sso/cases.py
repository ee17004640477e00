"""The second factor and sign-in by a provider, with both settings on: `test_sso` runs them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import struct
import time
from collections.abc import Callable
from typing import Any

import jwt
import pytest
import requests
from allauth.mfa.models import Authenticator
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.contrib.auth import get_user
from django.core.management import call_command
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse

from people import mail_proof, services
from people.models import AuditEvent, Study, User
from people.sso import identity_token, provider_links, second_factor
from people.throttle import WRONG_PASSWORDS
from tests.conftest import PASSWORD

Come = Callable[..., Any]  # somebody with these claims comes back: the answer of the end
pytestmark = pytest.mark.django_db
SIGN_IN = reverse("sign-in")
PAGE = reverse("second-factor")
APP = reverse("second-factor-app")
KNOWN: dict[str, Any] = {
    "email": "Ana@example.org",
    "email_verified": True,
    "name": "Ana B.",
    "preferred_username": "ana.b",
}


def code_of(secret: str, when: float | None = None) -> str:
    """The one-time code of RFC 6238, SHA-1, 30 s, six digits."""
    counter = int(time.time() if when is None else when) // 30
    digest = hmac.digest(base64.b32decode(secret), struct.pack(">Q", counter), hashlib.sha1)
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset : offset + 4])[0] & 0x7FFFFFFF) % 10**6:06}"


def test_the_codes_are_those_of_the_standard() -> None:
    """RFC 6238, appendix B: the last six of its eight digits."""
    key = base64.b32encode(b"12345678901234567890").decode()

    assert [code_of(key, moment) for moment in (59, 1111111109, 2000000000)] == [
        "287082",
        "081804",
        "279037",
    ]


@pytest.fixture(autouse=True)
def stop_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No code ends between its making and its use: the clock stands."""
    moment = time.time()
    monkeypatch.setattr(time, "time", lambda: moment)


@pytest.fixture
def secret(ana: User) -> str:
    """Ana has a second factor, set up some time ago."""
    key = base64.b32encode(b"12345678901234567890").decode()
    second_factor.set_up_codes(ana, key)
    Authenticator.objects.update(last_used_at=None)
    AuditEvent.objects.all()._raw_delete("default")  # only what comes after counts
    return key


def in_session(client: Client) -> str:
    """Whose session it is."""
    request = HttpRequest()
    request.session = client.session
    return str(get_user(request))


def with_password(client: Client, onward: str = "", password: str = PASSWORD) -> Any:
    return client.post(SIGN_IN, {"username": "ana", "password": password, "next": onward})


def with_code(client: Client, code: str) -> Any:
    return client.post(reverse("mfa_authenticate"), {"code": code})


def audit_lines() -> list[tuple[str, str, str]]:
    audit_events = AuditEvent.objects.order_by("pk")
    return list(audit_events.values_list("action", "person_name", "what"))


# --- second factor --------------------------------------------------------------------------------
def test_without_one_a_password_is_enough(client: Client, ana: User) -> None:
    answer = with_password(client, reverse("account"))

    assert (answer.status_code, answer["Location"]) == (302, reverse("account"))
    assert audit_lines() == [("sign-in", "ana", "")]


def test_setting_up_needs_the_code_and_the_password_and_shows_codes_once(
    client: Client, ana: User
) -> None:
    other_client = Client()
    other_client.force_login(ana)
    client.force_login(ana)
    setup_response = client.get(APP)
    key = setup_response.context["secret"]
    assert setup_response.context["picture"] in setup_response.content.decode()
    assert "style=" not in setup_response.context["picture"]
    wrong_forms = [
        {"code": "000000", "password": PASSWORD},
        {"code": code_of(key), "password": "no"},
    ]
    refused_responses = [client.post(APP, form) for form in wrong_forms]
    assert not second_factor.is_on(ana)
    assert [bool(response.context["form"].errors) for response in refused_responses] == [True, True]

    response = client.post(APP, {"code": code_of(key), "password": PASSWORD})

    codes = re.findall(r"\b\d{8}\b", response.content.decode())
    assert len(set(codes)) == 10
    assert not any(code in client.get(PAGE).content.decode() for code in codes)
    assert ("second-factor-on", "ana", "ana") in audit_lines()
    assert [in_session(client), in_session(other_client)] == [str(ana), "AnonymousUser"]


def test_secrets_lie_encrypted(ana: User, secret: str) -> None:
    stored_text = str(list(Authenticator.objects.values_list("data", flat=True)))

    assert secret not in stored_text
    assert stored_text.count("gAAAA") == 2


def test_a_password_alone_signs_in_nobody_who_has_one(client: Client, secret: str) -> None:
    answer = with_password(client, reverse("account"))

    assert answer["Location"] == reverse("mfa_authenticate")
    assert in_session(client) == "AnonymousUser"
    assert with_code(client, code_of(secret))["Location"] == reverse("account")
    assert audit_lines() == [("sign-in", "ana", "with a code")]


def test_a_code_is_good_once(ana: User, secret: str) -> None:
    assert [second_factor.accepts(ana, code_of(secret)) for _ in range(2)] == [True, False]


@pytest.mark.parametrize("seconds", [-30, 30])
def test_a_code_is_good_in_its_half_minute_alone(seconds: int, ana: User, secret: str) -> None:
    assert not second_factor.accepts(ana, code_of(secret, time.time() + seconds))


def test_a_recovery_code_is_good_once_and_its_number_falls(ana: User, secret: str) -> None:
    code = second_factor.new_recovery_codes(ana)[3]

    assert [second_factor.accepts(ana, code) for _ in range(2)] == [True, False]
    assert second_factor.unused_code_count(ana) == 9


def test_a_wrong_code_is_noted_and_counted_until_the_address_waits(
    client: Client, secret: str
) -> None:
    with_password(client)
    codes = {with_code(client, "000000").status_code for _ in range(WRONG_PASSWORDS.limit)}

    assert codes == {200}
    assert audit_lines()[0] == ("sign-in-refused", "ana", "wrong code")
    assert with_code(client, code_of(secret)).status_code == 429
    assert in_session(client) == "AnonymousUser"


def test_after_five_wrong_codes_of_a_person_no_code_is_good_whatever_the_address(
    client: Client, secret: str
) -> None:
    for number in range(5):
        other_client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        with_password(other_client)
        with_code(other_client, "000000")
    with_password(client)

    response = with_code(client, code_of(secret))

    assert "Too many wrong codes: try again in five minutes." in response.content.decode()
    assert in_session(client) == "AnonymousUser"


def test_nobody_reaches_the_page_of_codes_without_a_password(client: Client, secret: str) -> None:
    assert client.get(reverse("mfa_authenticate"))["Location"] == SIGN_IN
    assert with_code(client, code_of(secret))["Location"] == SIGN_IN


@pytest.mark.parametrize("name", ["second-factor-removal", "recovery-codes"])
def test_removal_and_new_codes_need_the_password(
    name: str, client: Client, ana: User, secret: str
) -> None:
    client.force_login(ana)
    client.post(reverse(name), {"password": "no"})
    assert audit_lines() == []

    client.post(reverse(name), {"password": PASSWORD})

    assert [event[0] for event in audit_lines()] == [
        {"recovery-codes": "recovery-codes-made"}.get(name, "second-factor-off")
    ]
    assert second_factor.is_on(ana) == (name == "recovery-codes")


def test_the_command_removes_what_is_lost(ana: User, secret: str, capsys: Any) -> None:
    call_command("second_factor")
    call_command("second_factor", "ana", "--remove")

    assert capsys.readouterr().out.split() == ["ana", "ana"]
    assert not second_factor.is_on(ana)
    assert audit_lines() == [("second-factor-off", "", "ana")]


def test_another_secret_key_lets_nobody_in_and_breaks_no_page(
    client: Client, ana: User, secret: str, settings: Any, caplog: Any
) -> None:
    settings.SECRET_KEY = "another" * 10
    client.force_login(ana)

    assert not second_factor.accepts(ana, code_of(secret))
    assert client.get(PAGE).status_code == 200
    assert "SECRET_KEY has changed" in caplog.text


def test_where_it_is_required_nothing_else_is_shown(
    client: Client, ana: User, settings: Any
) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "people.sso.middleware.RequireSecondFactor"]
    client.force_login(ana)
    addresses = [reverse("home"), reverse("account"), reverse("study-new")]
    responses_before = [client.get(address) for address in addresses]
    second_factor.set_up_codes(ana, base64.b32encode(b"12345678901234567890").decode())

    assert {response["Location"] for response in responses_before} == {PAGE}
    assert client.get(reverse("account")).status_code == 200


# --- provider -------------------------------------------------------------------------------------
@pytest.fixture
def comes(client: Client) -> Come:
    """Somebody whom the provider knows by these claims signs in with it."""

    def come(sub: str = "1", *, onward: str = "", **claims: Any) -> Any:
        reply = requests.put(f"{settings.OIDC_ISSUER}/users/{sub}", json=claims, timeout=10)
        reply.raise_for_status()
        response = client.post(reverse("provider-sign-in"), {"next": onward})
        address = response.context["address"]
        back = requests.post(address, data={"sub": sub}, allow_redirects=False, timeout=10)
        return client.get(back.headers["Location"])

    return come


@pytest.fixture
def mailed_user(ana: User) -> User:
    """Ana with a proven mail address."""
    ana.email = "ana@example.org"
    ana.save()
    mail_proof.prove(ana, "ana@example.org")
    return ana


@pytest.fixture
def linked_user(mailed_user: User, comes: Come, client: Client) -> User:
    """Ana, linked to the provider."""
    provider_links.link_identity(mailed_user, "1", address="ana@example.org")
    return mailed_user


def sign_in_page(client: Client) -> str:
    return client.get(SIGN_IN).content.decode()


def test_the_sign_in_page_has_its_button(client: Client) -> None:
    assert "Sign in with Example" in sign_in_page(client)


def test_the_way_there_is_a_link_because_no_form_may_end_elsewhere(client: Client) -> None:
    response = client.post(reverse("provider-sign-in"))

    assert response.status_code == 200
    assert "code_challenge_method=S256" in response.context["address"]
    assert 'http-equiv="refresh"' in response.content.decode()
    assert client.get(reverse("provider-sign-in")).status_code == 405


@pytest.mark.parametrize("claims", [{}, {"email_verified": False}, {"email_verified": "false"}])
def test_a_mail_that_is_not_verified_finds_nobody(
    claims: dict[str, Any], client: Client, mailed_user: User, comes: Come
) -> None:
    comes(email="ana@example.org", **claims)

    assert in_session(client) == "AnonymousUser"
    assert "does not say that a mail address of yours is verified" in sign_in_page(client)
    assert audit_lines()[-1][:2] == ("sign-in-refused", "")


def test_who_has_no_account_gets_none(client: Client, ana: User, comes: Come) -> None:
    comes(email="bo@example.org", email_verified=True)

    assert User.objects.count() == 1
    assert "No account here has proven the mail address bo@example.org" in sign_in_page(client)


def test_an_invitation_makes_an_account_once(
    client: Client, olga: User, study: Study, comes: Come
) -> None:
    address = reverse(
        "join", args=[services.create_invitation(study, by=olga, role="viewer").token]
    )
    assert "Sign in with Example" in client.get(address).content.decode()

    answer = comes(**KNOWN, onward=address)

    user = User.objects.get(username="ana-b")
    assert (user.name, user.email, user.has_usable_password()) == ("Ana B.", KNOWN["email"], False)
    assert study.role_of(user) == "viewer"
    assert answer["Location"] == study.get_absolute_url()
    client.logout()
    comes("2", email="bo@example.org", email_verified=True, onward=address)
    assert not User.objects.filter(email="bo@example.org").exists()


def test_who_has_a_second_factor_is_asked_here_too(
    client: Client, linked_user: User, secret: str, comes: Come
) -> None:
    assert comes(**KNOWN)["Location"] == reverse("mfa_authenticate")
    assert in_session(client) == "AnonymousUser"

    with_code(client, code_of(secret))

    assert in_session(client) == str(linked_user)
    assert audit_lines()[-1] == ("sign-in", "ana", "by the provider, with a code")


def test_an_account_with_a_second_factor_is_linked_after_its_code(
    client: Client, mailed_user: User, secret: str, comes: Come
) -> None:
    comes(**KNOWN)
    with_password(client)
    assert not provider_links.user_links(mailed_user).exists()

    with_code(client, code_of(secret))

    assert provider_links.user_links(mailed_user).exists()


OURS, THEIRS = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
CLAIMS = {"iss": "https://a", "sub": "1", "aud": "plateau", "iat": 1, "exp": 9999999999}


def believed_claims(key: Any = OURS, algorithm: str = "ES256", **changed: Any) -> dict[str, Any]:
    """What a token says that is signed so, if it is believed."""
    claims = {name: value for name, value in {**CLAIMS, **changed}.items() if value is not None}
    public = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(OURS.public_key()))
    token = jwt.encode(claims, key, algorithm, {"kid": "k"})
    keys = {"keys": [{**public, "kid": "k"}]}
    return identity_token.claims_of(token, keys, issuer="https://a", client_id="plateau")


def test_an_identity_token_of_the_provider_is_believed() -> None:
    assert believed_claims() == CLAIMS


@pytest.mark.parametrize(
    "changed",
    [
        {"key": THEIRS},
        {"key": None, "algorithm": "none"},
        {"key": "a secret of thirty-two bytes, or so", "algorithm": "HS256"},
        {"iss": "https://b"},
        {"aud": "another"},
        {"exp": 1},
        {"exp": None},
    ],
    ids=str,
)
def test_an_identity_token_that_does_not_hold_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(OAuth2Error):
        believed_claims(**changed)


def test_a_provider_that_is_not_there_leaves_the_password(client: Client, settings: Any) -> None:
    (app,) = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
    missing_app = {**app, "settings": {"server_url": "http://localhost:1"}}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [missing_app]}}

    assert client.post(reverse("provider-sign-in"))["Location"] == SIGN_IN
    assert "Try again, or use your password." in sign_in_page(client)


def test_an_address_elsewhere_is_not_gone_on_to(
    client: Client, linked_user: User, comes: Come
) -> None:
    assert comes(**KNOWN, onward="https://evil.example.org/")["Location"] == reverse("home")
