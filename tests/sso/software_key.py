"""A security key in software: makes and signs what a browser would hand on (WebAuthn level 2)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_bytes
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_encode

USER_PRESENT, ATTESTED = 0x01, 0x40  # flags of the authenticator's data (section 6.1)


@dataclass
class SoftwareKey:
    """Answers as if its browser were at `origin`."""

    origin: str = "https://testserver"
    host: str = "testserver"
    id: bytes = field(default_factory=lambda: token_bytes(16))
    private: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def made(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to a registration."""
        public = cbor.encode(dict(ES256.from_cryptography_key(self.private.public_key())))
        length = len(self.id).to_bytes(2, "big")
        data = self._data(USER_PRESENT | ATTESTED) + bytes(16) + length + self.id + public
        statement = {"fmt": "none", "attStmt": {}, "authData": data}
        client = self._client("webauthn.create", options)
        return self._answer(clientDataJSON=client, attestationObject=cbor.encode(statement))

    def signed(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to a sign-in."""
        data, client = self._data(USER_PRESENT), self._client("webauthn.get", options)
        signature = self.private.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=data, signature=signature)

    def _data(self, flags: int) -> bytes:
        return sha256(self.host.encode()).digest() + bytes([flags]) + bytes(4)

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        challenge = options["publicKey"]["challenge"]
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _answer(self, **response: bytes) -> dict[str, Any]:
        encoded_response = {name: websafe_encode(value) for name, value in response.items()}
        own_id = websafe_encode(self.id)
        kind = {"type": "public-key", "clientExtensionResults": {}}
        return {"id": own_id, "rawId": own_id, "response": encoded_response, **kind}
