"""A link that makes one person a member, once."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q

from people.models.study import Role, Study
from people.public_id import new_public_id


def digest_of(token: str) -> str:
    """What is stored of a token: whoever reads the database cannot use it."""
    return hashlib.sha256(token.encode()).hexdigest()


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self, now: datetime) -> InvitationQuerySet:
        """Invitations that can still be accepted."""
        return self.filter(Q(expires__gt=now), used_at__isnull=True, revoked_at__isnull=True)


class Invitation(models.Model):
    """Good for one use until it expires; only the token's digest is stored."""

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=9, choices=Role)
    # Slugs, since campaigns live in a room that this one does not know.
    campaigns = models.JSONField(default=list, blank=True)
    note = models.CharField(max_length=200, blank=True)
    token_digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="invitations_sent"
    )
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
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

    @staticmethod
    def new_token() -> str:
        """A token that nobody guesses (256 bits)."""
        return secrets.token_urlsafe(32)

    def state(self, now: datetime) -> str:
        """`open`, `used`, `revoked` or `expired`."""
        if self.used_at:
            return "used"
        if self.revoked_at:
            return "revoked"
        return "open" if now < self.expires else "expired"
