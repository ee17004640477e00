"""A link that makes one person a member, once."""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.crypto import constant_time_compare, salted_hmac

from people.models.study import Role, Study
from people.public_id import new_public_id

NUMBERED_NAME = re.compile(r"person [1-9]\d*")  # as `numbered_name` makes it
TOKEN_BYTES = 24  # 192 bits: nobody guesses one


def digest_of_token(token: str) -> str:
    """Digest that is stored of a token: whoever reads the database cannot use it."""
    return hashlib.sha256(token.encode()).hexdigest()


def invitation_token(public_id: str) -> str:
    """The token of an invitation, made of its name and the installation's SECRET_KEY.

    So an owner can be shown it again, and neither the database nor a copy of it holds it.
    """
    digest = salted_hmac("people.invitation", public_id, algorithm="sha256").digest()
    return urlsafe_b64encode(digest[:TOKEN_BYTES]).decode()


def numbered_name(number: int) -> str:
    """Name of a link that was made for nobody by name."""
    return f"person {number}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self, current_time: datetime) -> InvitationQuerySet:
        """Invitations that can still be accepted."""
        present_studies = self.filter(study__removed=None)
        return present_studies.filter(
            Q(expires__gt=current_time), used_at__isnull=True, revoked_at__isnull=True
        )


class Invitation(models.Model):
    """Good for one person, once, until it expires; only the token's digest is stored."""

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=9, choices=Role)
    name = models.CharField(max_length=120, blank=True)  # whom it is for, as the owner calls them
    mail = models.EmailField(blank=True)
    note = models.CharField(max_length=200, blank=True)
    token_digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="invitations_sent"
    )
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    opened_at = models.DateTimeField(null=True, blank=True)  # when its page was first asked for
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return f"{self.role} of {self.study}, until {self.expires:%Y-%m-%d}"

    @property
    def given_name(self) -> str:
        """The name that the owner knows them by; empty where the link has but a number."""
        return "" if NUMBERED_NAME.fullmatch(self.name) else self.name

    @property
    def token(self) -> str:
        """Token, to be shown again; empty where it was made with another SECRET_KEY."""
        token = invitation_token(self.public_id)
        return token if constant_time_compare(digest_of_token(token), self.token_digest) else ""

    def state(self, current_time: datetime) -> str:
        """`open`, `used`, `revoked` or `expired`."""
        if self.used_at:
            return "used"
        if self.revoked_at or self.study.removed:
            return "revoked"
        return "open" if current_time < self.expires else "expired"
