"""Secrets of second factors, encrypted in the database with a key made of SECRET_KEY."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import Any

import qrcode
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet
from django.utils.crypto import salted_hmac
from qrcode.image.svg import SvgPathFillImage

from people.models import User


class EncryptedSecrets(DefaultMFAAdapter):
    """Whoever reads the database, or a copy of it, cannot make codes."""

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """InvalidToken where it was encrypted with another SECRET_KEY."""
        return _cipher().decrypt(encrypted_text.encode()).decode()

    def get_totp_label(self, user: User) -> str:
        return user.get_username()

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Keys belong to the host alone: the same in every base path, and on every port."""
        return {**super().get_public_key_credential_rp_entity(), "name": "Plateau"}

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """The user name tells passkeys of two accounts apart, and no mail address is kept there."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return {**entity, "name": user.get_username()}

    def build_totp_svg(self, url: str) -> str:
        """Draw the code on white, in both themes; a reader of such pictures needs the contrast."""
        picture: str = qrcode.make(url, image_factory=SvgPathFillImage).to_string(
            encoding="unicode"
        )
        return picture


def _cipher() -> Fernet:
    key = salted_hmac("people.sso.secrets", "second factor", algorithm="sha256").digest()
    return Fernet(urlsafe_b64encode(key))
