"""The provider's identity token: signed by a key that it publishes, for us, and not yet over.

django-allauth skips the signature where the token comes over TLS, and has no nonce. We check both
(OpenID Connect Core 1.0, section 3.1.3.7), so that neither an address that leads astray nor an
answer of another sign-in is believed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import jwt
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import HttpRequest

from formats.names import flaw

# Of a pair of keys: what is signed with a secret that both know proves nothing to a third.
SIGNED: Final = [
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
]
APART: Final = 60  # seconds by which the two clocks may differ
NEEDED: Final = ["iss", "sub", "aud", "exp", "iat"]


PUBLISHED: Final = (
    *("issuer", "authorization_endpoint", "token_endpoint"),
    *("userinfo_endpoint", "jwks_uri"),
)
SAYS_ISSUER: Final = "authorization_response_iss_parameter_supported"
MOST_SUB: Final = 191  # characters of the column; the standard allows 255, and providers use 36


@dataclass(frozen=True, slots=True)
class IdentityClaims:
    """Claims of the provider about one person.

    email      as the provider wrote it
    username   the name that the person wishes for; may be empty
    """

    sub: str
    nonce: str
    email: str
    has_verified_email: bool
    username: str
    name: str

    @classmethod
    def from_token(cls, identity: Mapping[str, Any], info: object) -> Self:
        """Build the claims from the identity token and the provider's second answer.

        OAuth2Error where they are about two people, or hold text that cannot be stored.
        """
        if not isinstance(info, dict) or info.get("sub") != identity["sub"]:
            raise OAuth2Error("the provider gave answers about two people")
        texts = {name: _text(info, name) for name in ("sub", "email", "preferred_username", "name")}
        if not 0 < len(texts["sub"]) <= MOST_SUB:
            raise OAuth2Error(f"found a sub of {len(texts['sub'])} characters")
        return cls(
            sub=texts["sub"],
            nonce=_text(identity, "nonce"),
            email=texts["email"],
            has_verified_email=info.get("email_verified") is True,
            username=texts["preferred_username"],
            name=texts["name"],
        )


def _text(claims: Mapping[str, Any], name: str) -> str:
    """The claim, empty where it is missing; OAuth2Error where it is no text that can be stored."""
    text = claims.get(name)
    if text is None:
        return ""
    if not isinstance(text, str) or flaw(text):
        raise OAuth2Error(f"found a {name} that cannot be stored")
    return text


def claims_of(token: str, keys: dict[str, Any], *, issuer: str, client_id: str) -> dict[str, Any]:
    """The claims of a token; OAuth2Error where it is not signed with one of `keys` (RFC 7517)."""
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            _key(jwt.PyJWKSet.from_dict(keys), jwt.get_unverified_header(token).get("kid")),
            algorithms=SIGNED,
            audience=client_id,
            issuer=issuer,
            leeway=APART,
            options={"require": NEEDED},
        )
    except (jwt.PyJWTError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise OAuth2Error(f"the identity token does not hold: {error}") from error
    if claims.get("azp", client_id) != client_id or (
        claims["aud"] not in (client_id, [client_id]) and "azp" not in claims
    ):
        raise OAuth2Error("the identity token was made for another client")
    return claims


def _key(keys: jwt.PyJWKSet, name: str | None) -> jwt.PyJWK:
    """The key of that name; without one, the only key."""
    if name is None and len(keys.keys) != 1:
        raise KeyError("several keys, and no name of one")
    return keys.keys[0] if name is None else keys[name]


class CheckedIdentity(OpenIDConnectOAuth2Adapter):
    """Believes no answer that is not the provider's own, and no token that is not signed."""

    @property
    def openid_config(self) -> dict[str, Any]:
        """Configuration that the provider publishes; OAuth2Error unless it is the one of the
        settings.
        """
        config = super().openid_config
        if not isinstance(config, dict) or any(
            not isinstance(config.get(k), str) for k in PUBLISHED
        ):
            raise OAuth2Error(f"found no {', '.join(PUBLISHED)} in what the provider publishes")
        if config["issuer"].rstrip("/") != settings.OIDC_ISSUER:
            raise OAuth2Error("the provider calls itself by another issuer than the settings do")
        return config

    def refuse_other_issuer(self, request: HttpRequest) -> None:
        """OAuth2Error where the answer says that another provider gives it (RFC 9207)."""
        issuer = request.GET.get("iss")
        if issuer is None and not self.openid_config.get(SAYS_ISSUER):
            return
        if issuer != self.openid_config["issuer"]:
            raise OAuth2Error("the answer is of another issuer")

    def parse_token(self, data: dict[str, Any]) -> SocialToken:
        """Its text alone: no token is kept, so that it need not be known when it ends."""
        token = data.get("access_token")
        if not isinstance(token, str):
            raise OAuth2Error("found no access token")
        return SocialToken(token=token)

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        """The identity, with `claims` beside it: of both answers, which belong together."""
        info = self._fetch_user_info(token.token)
        signed_token = kwargs["response"].get("id_token")
        if not isinstance(signed_token, str):
            raise OAuth2Error("found no identity token")
        claims = IdentityClaims.from_token(self._decode_id_token(app, signed_token), info)
        login: SocialLogin = self.get_provider().sociallogin_from_response(
            request, {"sub": claims.sub}
        )
        login.claims = claims
        return login

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        with get_adapter().get_requests_session() as session:
            answer = session.get(self.openid_config["jwks_uri"])
            answer.raise_for_status()
        issuer, client_id = self.openid_config["issuer"], app.client_id
        return claims_of(id_token, answer.json(), issuer=issuer, client_id=client_id)
