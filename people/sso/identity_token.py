"""The provider's identity token: signed by a key that it publishes, for us, and not yet over.

django-allauth skips the signature where the token comes over TLS, and has no nonce. We check both
(OpenID Connect Core 1.0, section 3.1.3.7), so that neither an address that leads astray nor an
answer of another sign-in is believed.
"""

from __future__ import annotations

from typing import Any, Final

import jwt
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter

# Of a pair of keys: what is signed with a secret that both know proves nothing to a third.
SIGNED: Final = [
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
]
APART: Final = 60  # seconds by which the two clocks may differ
NEEDED: Final = ["iss", "sub", "aud", "exp", "iat"]


def claims_of(token: str, keys: dict[str, Any], *, issuer: str, client_id: str) -> dict[str, Any]:
    """What a token says; OAuth2Error where it is not signed with one of `keys` (RFC 7517)."""
    try:
        found: dict[str, Any] = jwt.decode(
            token,
            _key(jwt.PyJWKSet.from_dict(keys), jwt.get_unverified_header(token).get("kid")),
            algorithms=SIGNED,
            audience=client_id,
            issuer=issuer,
            leeway=APART,
            options={"require": NEEDED},
        )
    except (jwt.PyJWTError, KeyError) as error:
        raise OAuth2Error(f"the identity token does not hold: {error}") from error
    return found


def _key(keys: jwt.PyJWKSet, name: str | None) -> jwt.PyJWK:
    """The key of that name; without one, the only key."""
    if name is None and len(keys.keys) != 1:
        raise KeyError("several keys, and no name of one")
    return keys.keys[0] if name is None else keys[name]


class CheckedIdentity(OpenIDConnectOAuth2Adapter):
    """Believes no token that is not signed."""

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        with get_adapter().get_requests_session() as session:
            answer = session.get(self.openid_config["jwks_uri"])
            answer.raise_for_status()
        issuer, client_id = self.openid_config["issuer"], app.client_id
        return claims_of(id_token, answer.json(), issuer=issuer, client_id=client_id)
