"""A provider of OpenID Connect that a test can make lie: each of its answers can be changed."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

CLIENT = "plateau"  # as `tests.sso.test_sso` registers it


def new_key() -> Any:
    """A pair of keys that signs identity tokens."""
    return ec.generate_private_key(ec.SECP256R1())


@dataclass
class FakeProvider:
    """What it says of a person, and what differs from an honest answer.

    metadata, identity, info, tokens   changes of what it publishes, of the identity token, of its
                                       answer about the person, and of the answer with the tokens;
                                       a claim that is None is left out
    """

    issuer: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    identity: dict[str, Any] = field(default_factory=dict)
    info: dict[str, Any] = field(default_factory=dict)
    tokens: dict[str, Any] = field(default_factory=dict)
    key: Any = field(default_factory=new_key)
    signing: Any = None  # another key than the published one
    nonces: dict[str, str] = field(default_factory=dict)  # by code

    def code_for(self, address: str) -> dict[str, str]:
        """The parameters with which the browser comes back from `address`."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        code = f"code-{len(self.nonces)}"
        self.nonces[code] = query["nonce"]
        return {"code": code, "state": query["state"]}

    def answer(self, path: str, form: dict[str, str]) -> Any:
        """What it answers; KeyError for an address that it does not have."""
        return {
            "/.well-known/openid-configuration": self._metadata,
            "/token": lambda: self._tokens(form["code"]),
            "/info": lambda: _changed_claims(self.claims, self.info),
            "/keys": lambda: {"keys": [self._public()]},
        }[path]()

    def _metadata(self) -> dict[str, Any]:
        metadata = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "userinfo_endpoint": f"{self.issuer}/info",
            "jwks_uri": f"{self.issuer}/keys",
        }
        return _changed_claims(metadata, self.metadata)

    def _tokens(self, code: str) -> dict[str, Any]:
        moment = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": moment, "exp": moment + 300}
        claims |= {"sub": self.claims.get("sub"), "nonce": self.nonces[code]}
        token = jwt.encode(
            _changed_claims(claims, self.identity), self.signing or self.key, "ES256", {"kid": "k"}
        )
        tokens = {"access_token": "a", "token_type": "Bearer", "id_token": token}
        return _changed_claims(tokens, self.tokens)

    def _public(self) -> dict[str, Any]:
        return {**json.loads(jwt.algorithms.ECAlgorithm.to_jwk(self.key.public_key())), "kid": "k"}


def _changed_claims(claims: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**claims, **changes}.items() if value is not None}


@contextmanager
def running_provider(provider: FakeProvider) -> Iterator[FakeProvider]:
    """The provider at an address of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._send({name: values[0] for name, values in parse_qs(body).items()})

        def _send(self, form: dict[str, str]) -> None:
            body = json.dumps(provider.answer(self.path, form)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
    provider.issuer = f"http://localhost:{server.server_port}"
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
