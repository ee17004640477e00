"""A whole provider, honest and not: who it signs in, and who it does not. `test_sso` runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.conf import settings as project_settings
from django.contrib.auth import get_user
from django.core.management import CommandError, call_command
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse

from people import mail_proof, services
from people.models import AuditEvent, Study, User
from people.sso.provider_links import link_identity
from tests.conftest import PASSWORD
from tests.sso.provider import FakeProvider, new_key, running_provider

pytestmark = pytest.mark.django_db
SIGN_IN = reverse("sign-in")
LINK = reverse("provider-link")
BACK = reverse("openid_connect_callback", args=[project_settings.OIDC_PROVIDER])
Come = Callable[..., Any]
ANA = {"sub": "1", "email": "Ana@example.org", "email_verified": True, "name": "Ana B."}


@pytest.fixture
def provider(settings: Any) -> Iterator[FakeProvider]:
    """The provider of the settings, which knows Ana."""
    with running_provider(FakeProvider(claims=dict(ANA))) as provider:
        (app,) = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
        application = {**app, "client_id": "plateau", "settings": {"server_url": provider.issuer}}
        settings.SOCIALACCOUNT_PROVIDERS = {
            "openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [application]}
        }
        settings.OIDC_ISSUER = provider.issuer
        yield provider


@pytest.fixture
def come(client: Client, provider: FakeProvider) -> Come:
    """Whom the provider knows by these claims signs in with it."""

    def comes(*, onward: str = "", by: Client = client, **claims: Any) -> Any:
        provider.claims = {**ANA, **claims}
        return by.get(BACK, ask_provider(by, provider, next_address=onward))

    return comes


def ask_provider(
    client: Client, provider: FakeProvider, *, next_address: str = ""
) -> dict[str, str]:
    """Go to the provider; the parameters of the way back."""
    response = client.post(reverse("provider-sign-in"), {"next": next_address})
    return provider.code_for(response.context["address"])


def in_session(client: Client) -> str:
    request = HttpRequest()
    request.session = client.session
    return str(get_user(request))


def sign_in_page(client: Client) -> str:
    return client.get(SIGN_IN).content.decode()


def with_password(client: Client, name: str = "ana", password: str = PASSWORD) -> Any:
    return client.post(SIGN_IN, {"username": name, "password": password})


@pytest.fixture
def proven_user(ana: User) -> User:
    """Ana, who has proven her mail address."""
    ana.email = "ana@example.org"
    ana.save()
    mail_proof.prove(ana, "ana@example.org")
    return ana


@pytest.fixture
def linked_user(proven_user: User) -> User:
    """Ana, whose account is linked to the provider."""
    link_identity(proven_user, str(ANA["sub"]), address=str(ANA["email"]))
    return proven_user


def links() -> list[tuple[str, str]]:
    """User name and `sub` of every link."""
    return list(SocialAccount.objects.order_by("pk").values_list("user__username", "uid"))


# --- whose account it is --------------------------------------------------------------------------
def test_an_account_is_linked_once_with_its_password_and_found_by_sub_from_then_on(
    client: Client, proven_user: User, come: Come
) -> None:
    assert come()["Location"] == SIGN_IN
    assert in_session(client) == "AnonymousUser"
    assert links() == []
    assert "The account ana has your mail address." in sign_in_page(client)

    with_password(client)

    assert (in_session(client), links()) == ("ana", [("ana", "1")])
    client.logout()
    come(email="elsewhere@example.org", email_verified=False)
    assert (in_session(client), links()) == ("ana", [("ana", "1")])


def test_the_page_that_was_asked_for_comes_after_the_password(
    client: Client, proven_user: User, come: Come
) -> None:
    answer = come(onward=reverse("account"))

    assert answer["Location"] == f"{SIGN_IN}?next=%2Faccount%2F"


def test_neither_claims_nor_tokens_are_kept(client: Client, linked_user: User, come: Come) -> None:
    come()

    assert in_session(client) == "ana"
    assert SocialAccount.objects.get().extra_data == {"sub": "1"}
    assert SocialToken.objects.count() == 0


@pytest.mark.parametrize(
    "email",
    [
        "mike@gıthub.com",  # PostgreSQL's UPPER() makes I of ı
        "mıke@github.com",
        "mi\u212ae@github.com",  # the sign of Kelvin folds to k
        "mike@github。com",
        "mike@git\u200bhub.com",  # IDNA drops it
        "mike@github.com.",
        "mike@github.com\u0000",
    ],
)
def test_an_address_that_only_looks_alike_finds_nobody(
    email: str, client: Client, ana: User, come: Come
) -> None:
    User.objects.filter(pk=ana.pk).update(email="mike@github.com", proven_email="mike@github.com")
    come(email=email)

    assert in_session(client) == "AnonymousUser"
    assert "The account ana has your mail address." not in sign_in_page(client)
    with_password(client)
    assert links() == []


def test_an_address_that_nobody_proved_finds_nobody(
    client: Client, vic: User, come: Come, study: Study, olga: User
) -> None:
    """Vic has written Ana's address into his account, and waits for her."""
    User.objects.filter(pk=vic.pk).update(email="ana@example.org")
    come()
    assert (in_session(client), links()) == ("AnonymousUser", [])
    assert "No account here has proven the mail address Ana@example.org" in sign_in_page(client)

    come(
        onward=reverse(
            "join", args=[services.create_invitation(study, by=olga, role="viewer").token]
        )
    )

    (name, _) = links()[0]
    assert name != "vic"
    assert in_session(client) == "Ana B."
    vic.refresh_from_db()
    assert not mail_proof.prove(vic, "other@example.org")
    with pytest.raises(Exception, match="Another account here has proven this mail address"):
        mail_proof.prove(vic, "ana@example.org")


def test_another_identity_takes_no_account_over_until_its_owner_unlinks(
    client: Client, linked_user: User, come: Come
) -> None:
    come(sub="2")
    assert "is linked to another identity of Example" in sign_in_page(client)
    with_password(client)
    assert links() == [("ana", "1")]

    client.post(reverse("provider-unlinking"), {"password": PASSWORD})
    client.logout()
    come(sub="2")
    with_password(client)

    assert links() == [("ana", "2")]
    actions = AuditEvent.objects.order_by("pk").values_list("action", flat=True)
    assert [action for action in actions if action.startswith("provider")] == [
        "provider-linked",
        "provider-unlinked",
        "provider-linked",
    ]


@pytest.mark.parametrize(("name", "password"), [("ana", "wrong"), ("vic", PASSWORD)])
def test_no_other_password_links(
    name: str, password: str, client: Client, proven_user: User, vic: User, come: Come
) -> None:
    come()
    with_password(client, name, password)
    client.logout()
    with_password(client)

    assert links() == []


def test_the_password_is_awaited_for_ten_minutes(
    client: Client, proven_user: User, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    come()
    session = client.session
    session["provider_identity"] = {**session["provider_identity"], "at": 0.0}
    session.save()
    with_password(client)

    assert (in_session(client), links()) == ("ana", [])


def test_a_closed_account_is_neither_linked_nor_signed_in(
    client: Client, linked_user: User, come: Come
) -> None:
    User.objects.filter(pk=linked_user.pk).update(is_active=False)
    come()
    assert "This account is closed." in sign_in_page(client)
    come(sub="2")

    assert in_session(client) == "AnonymousUser"


def test_an_account_without_a_password_is_not_linked_to_another_identity(
    client: Client, proven_user: User, come: Come
) -> None:
    proven_user.set_unusable_password()
    proven_user.save()
    come()

    assert "no password to link it with" in sign_in_page(client)
    assert in_session(client) == "AnonymousUser"


def test_an_owner_links_and_unlinks_the_account_they_are_signed_in_with(
    client: Client, ana: User, provider: FakeProvider
) -> None:
    """Without a mail address: the password and the session say whose it is."""
    client.force_login(ana)
    assert client.post(LINK, {"password": "wrong"}).status_code == 200
    response = client.post(LINK, {"password": PASSWORD})
    assert client.get(BACK, provider.code_for(response.context["address"]))["Location"] == LINK
    assert links() == [("ana", "1")]

    client.post(reverse("provider-unlinking"), {"password": "wrong"})
    assert links() == [("ana", "1")]
    client.post(reverse("provider-unlinking"), {"password": PASSWORD})
    assert links() == []


def test_an_identity_of_another_account_cannot_be_linked(
    client: Client, linked_user: User, vic: User, provider: FakeProvider
) -> None:
    client.force_login(vic)
    response = client.post(LINK, {"password": PASSWORD})
    client.get(BACK, provider.code_for(response.context["address"]))

    assert links() == [("ana", "1")]
    assert "You are linked to another account here" in client.get(LINK).content.decode()


def test_a_link_that_one_asked_for_is_not_made_for_another(
    client: Client, ana: User, vic: User, provider: FakeProvider
) -> None:
    client.force_login(vic)
    parameters = provider.code_for(client.post(LINK, {"password": PASSWORD}).context["address"])
    other_client = Client()
    other_client.force_login(ana)
    other_client.get(BACK, parameters)
    client.logout()
    client.get(BACK, parameters)

    assert links() == []


def test_the_provider_proves_the_address_of_a_linked_account(
    client: Client, ana: User, provider: FakeProvider
) -> None:
    User.objects.filter(pk=ana.pk).update(email="ana@example.org")
    client.force_login(ana)
    response = client.post(LINK, {"password": PASSWORD})
    client.get(BACK, provider.code_for(response.context["address"]))

    assert User.objects.get(pk=ana.pk).has_proven_email


def test_the_command_lists_and_ends_links(linked_user: User) -> None:
    output = StringIO()
    call_command("provider_links", stdout=output)
    call_command("provider_links", "ana", "--unlink", stdout=output)

    assert output.getvalue().split() == ["ana", "ana"]
    assert links() == []
    with pytest.raises(CommandError, match="found no person named 'nobody'"):
        call_command("provider_links", "nobody")


# --- answers that do not hold ---------------------------------------------------------------------
def check_refused(client: Client) -> None:
    """Nobody is signed in, nothing is linked or waits, and the log of sign-ins says so."""
    assert in_session(client) == "AnonymousUser"
    assert "provider_identity" not in client.session
    assert links() == [("ana", "1")]
    assert AuditEvent.objects.order_by("-pk")[0].action == "sign-in-refused"


@pytest.mark.parametrize("part", ["claims", "identity"])
@pytest.mark.parametrize("text", ["\0", "\ud800"])
@pytest.mark.parametrize("claim", ["sub", "email", "name", "preferred_username"])
def test_text_that_cannot_be_stored_is_refused(
    claim: str, text: str, part: str, client: Client, linked_user: User, provider: FakeProvider
) -> None:
    """`bela@corp.example` and a NUL is not bela; and PostgreSQL stores neither."""
    provider.claims |= {claim: f"{ANA.get(claim, 'x')}{text}"}
    if part == "identity":
        provider.identity = {"sub": f"1{text}"}
        provider.claims |= {"sub": f"1{text}"}
    client.get(BACK, ask_provider(client, provider))

    check_refused(client)


@pytest.mark.parametrize(
    "changes",
    [
        {"identity": {"iss": "https://evil.example.org"}},
        {"identity": {"aud": "another"}},
        {"identity": {"aud": ["plateau", "another"]}},
        {"identity": {"azp": "another"}},
        {"identity": {"sub": "2"}},
        {"identity": {"exp": 1}},
        {"identity": {"nonce": None}},
        {"identity": {"nonce": "another"}},
        {"identity": {"nonce": 5}},
        {"info": {"sub": "2"}},
        {"info": {"sub": None}},
        {"info": {"sub": 1}},
        {"info": {"email": ["ana@example.org"]}},
        {"claims": {"sub": "x" * 192}},
        {"claims": {"sub": ""}},
        {"tokens": {"id_token": None}},
        {"tokens": {"id_token": "a.b.c"}},
        {"tokens": {"access_token": None}},
        {"tokens": {"access_token": ["a"]}},
        {"signing": new_key()},
    ],
    ids=str,
)
def test_answers_that_contradict_each_other_sign_nobody_in(
    changes: dict[str, Any], client: Client, linked_user: User, provider: FakeProvider
) -> None:
    for name, change in changes.items():
        setattr(provider, name, {**ANA, **change} if name == "claims" else change)
    client.get(BACK, ask_provider(client, provider))

    check_refused(client)


def test_a_life_of_tokens_that_is_no_number_matters_to_nobody(
    client: Client, linked_user: User, provider: FakeProvider
) -> None:
    provider.tokens = {"expires_in": "soon"}
    client.get(BACK, ask_provider(client, provider))

    assert in_session(client) == "ana"


@pytest.mark.parametrize(
    "metadata",
    [{"issuer": "https://evil.example.org"}, {"issuer": None}, {"token_endpoint": None}],
    ids=str,
)
def test_a_provider_that_is_not_the_one_of_the_settings_is_not_gone_to(
    metadata: dict[str, Any], client: Client, linked_user: User, provider: FakeProvider
) -> None:
    provider.metadata = metadata

    assert client.post(reverse("provider-sign-in"))["Location"] == SIGN_IN
    check_refused(client)


def test_a_provider_that_changes_on_the_way_is_not_believed(
    client: Client, linked_user: User, provider: FakeProvider
) -> None:
    parameters = ask_provider(client, provider)
    provider.metadata = {"issuer": "https://evil.example.org"}
    client.get(BACK, parameters)

    check_refused(client)


@pytest.mark.parametrize(("says_so", "given"), [(True, None), (True, "evil"), (False, "evil")])
def test_an_answer_of_another_issuer_is_refused(
    says_so: bool,  # noqa: FBT001
    given: str | None,
    client: Client,
    linked_user: User,
    provider: FakeProvider,
) -> None:
    """RFC 9207: a mix-up of providers."""
    provider.metadata = {"authorization_response_iss_parameter_supported": says_so}
    parameters = ask_provider(client, provider)
    client.get(BACK, {**parameters, "iss": given} if given else parameters)
    check_refused(client)

    client.get(BACK, {**ask_provider(client, provider), "iss": provider.issuer})
    assert in_session(client) == "ana"


@pytest.mark.parametrize("state", [None, "", "unknown", "\u0131"])
def test_an_answer_that_nobody_asked_for_is_refused(
    state: str | None, client: Client, linked_user: User, provider: FakeProvider
) -> None:
    parameters = {**ask_provider(client, provider), "state": state}
    client.get(BACK, {name: value for name, value in parameters.items() if value is not None})

    check_refused(client)


def test_an_answer_to_another_browser_is_refused(
    client: Client, linked_user: User, provider: FakeProvider
) -> None:
    """Whoever sends Ana the link of their own answer does not have her signed in as themselves."""
    parameters = ask_provider(Client(), provider)
    client.get(BACK, parameters)

    check_refused(client)


def test_an_answer_is_good_once(client: Client, linked_user: User, provider: FakeProvider) -> None:
    parameters = ask_provider(client, provider)
    client.get(BACK, parameters)
    assert in_session(client) == "ana"
    client.logout()
    client.get(BACK, parameters)

    check_refused(client)


def test_an_answer_is_good_for_ten_minutes(
    client: Client, linked_user: User, provider: FakeProvider
) -> None:
    parameters = ask_provider(client, provider)
    session = client.session
    (name, (state, _, id_)) = next(iter(session["socialaccount_states"].items()))
    session["socialaccount_states"] = {name: (state, 0.0, id_)}
    session.save()
    client.get(BACK, parameters)

    check_refused(client)


def test_an_identity_token_of_an_earlier_sign_in_is_refused(
    client: Client, linked_user: User, provider: FakeProvider
) -> None:
    parameters = ask_provider(client, provider)
    stolen_token = provider.answer("/token", parameters)["id_token"]
    client.get(BACK, parameters)
    client.logout()
    provider.tokens = {"id_token": stolen_token}
    client.get(BACK, ask_provider(client, provider))

    check_refused(client)


def test_a_refusal_of_the_provider_is_told(
    client: Client, linked_user: User, provider: FakeProvider
) -> None:
    parameters = ask_provider(client, provider)
    client.get(BACK, {"error": "access_denied", "state": parameters["state"]})

    check_refused(client)
    assert "Example did not sign you in" in sign_in_page(client)


def test_another_provider_of_the_path_is_not_there(client: Client) -> None:
    assert client.get(reverse("openid_connect_callback", args=["other"])).status_code == 404
