"""A token with which a program acts for a person in one study."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q

from people.models.study import Study
from people.public_id import new_public_id

SCOPES: Final = {
    "read": "read series, detections, ground truth, comparisons and trends",
    "import": "import measurements into data sets",
    "run": "start runs of detectors",
}
"""What a token may be for, each with what it says on its page."""


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def usable(self, current_time: datetime) -> ApiTokenQuerySet:
        """Tokens that are neither revoked nor expired, of studies that are there."""
        unrevoked_tokens = self.filter(study__removed=None, by__is_active=True, revoked=None)
        return unrevoked_tokens.filter(Q(expires=None) | Q(expires__gt=current_time))


class ApiToken(models.Model):
    """Sees and may do what its maker may, in this study and within its scopes.

    Only the digest is stored: the token itself is shown once, when it is made.
    """

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, related_name="tokens")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=80)
    scopes = models.CharField(max_length=40)  # names of SCOPES, separated by spaces
    digest = models.CharField(max_length=64, unique=True)
    made = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)
    last_used = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-made"]

    def __str__(self) -> str:
        return f"{self.name} ({self.scopes})"

    def may(self, scope: str) -> bool:
        """Return whether the token was made for `scope`, too."""
        return scope in self.scopes.split()

    def state(self, current_time: datetime) -> str:
        """`open`, `revoked` or `expired`."""
        if self.revoked:
            return "revoked"
        return "expired" if self.expires and self.expires <= current_time else "open"
