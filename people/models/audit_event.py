"""One line of the audit log: who did what, when and from where. Lines are only ever added."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NoReturn

from django.conf import settings
from django.db import models

from people.models.study import Study


class AppendOnlyError(TypeError):
    """A line of the audit log was to be changed or removed."""

    def __init__(self) -> None:
        super().__init__(
            "lines of the audit log are never changed, and end with PLATEAU_AUDIT_DAYS"
        )


class AuditEventQuerySet(models.QuerySet["AuditEvent"]):
    """Takes nothing back: `forget` alone removes lines, and only by their age."""

    def forget(self, before: datetime) -> int:
        """Remove the lines from before a time; how many."""
        return self.filter(when__lt=before)._raw_delete(self.db)  # noqa: SLF001  # `delete` is what is refused

    def update(self, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError

    def delete(self) -> NoReturn:
        raise AppendOnlyError

    async def aupdate(self, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError

    async def adelete(self) -> NoReturn:
        raise AppendOnlyError


class AuditEvent(models.Model):
    """Action of somebody, in the words of then.

    It outlives what it tells of: person and study are kept by name, and their keys point to
    nothing once they are gone. A trigger of the database refuses every change of a line.
    """

    class Action(models.TextChoices):
        SIGNED_IN = "sign-in", "signed in"
        SIGN_IN_REFUSED = "sign-in-refused", "sign-in refused"
        SIGNED_OUT = "sign-out", "signed out"
        ACCOUNT_MADE = "account-made", "account made"
        ACCOUNT_DISABLED = "account-disabled", "account disabled"
        ACCOUNT_ENABLED = "account-enabled", "account enabled"
        STAFF_CHANGED = "staff", "staff changed"
        PASSWORD_CHANGED = "password-changed", "password changed"  # a word
        PASSWORD_LINK = "password-link", "link for a password made"  # a word
        SECOND_FACTOR_ON = "second-factor-on", "second factor set up"
        SECOND_FACTOR_OFF = "second-factor-off", "second factor removed"
        APP_REMOVED = "app-removed", "app for codes removed"
        KEY_ADDED = "key-added", "security key added"
        KEY_RENAMED = "key-renamed", "security key renamed"
        KEY_REMOVED = "key-removed", "security key removed"
        RECOVERY_CODES_MADE = "recovery-codes-made", "recovery codes made"
        MAIL_CHANGED = "mail-changed", "mail address changed"
        MAIL_PROVEN = "mail-proven", "mail address proven"
        PROVIDER_LINKED = "provider-linked", "linked to a provider"
        PROVIDER_UNLINKED = "provider-unlinked", "unlinked from a provider"
        SESSIONS_ENDED = "sessions-ended", "sessions ended"
        STUDY_MADE = "study-made", "study made"
        INVITED = "invited", "invitation made"
        INVITATION_REVOKED = "invitation-revoked", "invitation revoked"
        JOINED = "joined", "joined"
        ROLE_CHANGED = "role", "role changed"
        MEMBER_REMOVED = "member-removed", "member removed"
        TOKEN_MADE = "token-made", "token made"  # a word
        TOKEN_REVOKED = "token-revoked", "token revoked"  # a word
        CAMPAIGN_OPENED = "campaign-opened", "campaign opened"
        CAMPAIGN_CLOSED = "campaign-closed", "campaign closed"
        EXPORTED = "export", "exported"
        REMOVED = "removed", "removed"
        RESTORED = "restored", "restored"
        PURGED = "purged", "purged"

    when = models.DateTimeField(auto_now_add=True, db_index=True)
    action = models.CharField(max_length=20)  # of Action; no choices: a new kind is no migration
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        related_name="+",
    )
    person_name = models.CharField(max_length=150, blank=True)  # user name; empty: a command
    address = models.CharField(max_length=45, blank=True)  # of the client; empty: a command
    request_id = models.CharField(max_length=64, blank=True)
    study = models.ForeignKey(
        Study, models.DO_NOTHING, null=True, db_constraint=False, related_name="audit_events"
    )
    study_name = models.CharField(max_length=120, blank=True)
    what = models.CharField(max_length=300, blank=True)

    objects = AuditEventQuerySet.as_manager()

    class Meta:
        ordering = ["-when", "-pk"]

    def __str__(self) -> str:
        return f"{self.when:%Y-%m-%d %H:%M} {self.person_name} {self.action} {self.what}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError

    @property
    def action_words(self) -> str:
        """The action in words."""
        return self.Action(self.action).label
