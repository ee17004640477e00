"""A notice on its way: one row a mail and a webhook call, until it is sent or given up."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import models

from people.models.invitation import Invitation
from people.models.study import Study
from people.models.user import User
from people.public_id import new_public_id

ACCOUNT_RECOVERY: Final = "password-link"  # the event of a mail with a link for a new password
ADDRESS_PROOF: Final = "address-link"  # the event of a mail with a link that proves an address


class OutgoingNoticeQuerySet(models.QuerySet["OutgoingNotice"]):
    def due(self, current_time: datetime) -> OutgoingNoticeQuerySet:
        """Notices to be tried now, the oldest first."""
        waiting_notices = self.filter(state=OutgoingNotice.State.WAITING, due__lte=current_time)
        return waiting_notices.order_by("due", "pk")

    def shown_in(self, study: Study) -> OutgoingNoticeQuerySet:
        """The log of `study`: its own, and the links for new passwords of its members."""
        member_notices = models.Q(password_of__memberships__study=study)
        return self.filter(models.Q(study=study) | member_notices)

    def failed(self) -> OutgoingNoticeQuerySet:
        """Notices that were given up, for their owner to see."""
        return self.filter(state=OutgoingNotice.State.FAILED)


class OutgoingNotice(models.Model):
    """Written in the transaction of what it tells of; a worker sends it, and tries again.

    A secret link is never stored: `invitation` or `password_of` says whose it is, and it is made
    when the mail is sent. A mail with a link for an account (`password_of`) belongs to no study.
    """

    class Channel(models.TextChoices):
        MAIL = "mail", "mail"
        WEBHOOK = "webhook", "webhook"

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        SENT = "sent", "sent"
        FAILED = "failed", "given up"
        DROPPED = "dropped", "not sent: no longer true"

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, null=True, related_name="outgoing_notices")
    event = models.CharField(max_length=40)
    channel = models.CharField(max_length=7, choices=Channel)
    to = models.EmailField(blank=True)  # of a mail
    subject = models.CharField(max_length=300)
    text = models.TextField()
    path = models.CharField(max_length=300, blank=True)  # of the page, from the address of Plateau
    invitation = models.ForeignKey(Invitation, models.CASCADE, null=True, blank=True)
    password_of = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")
    site = models.CharField(max_length=300, blank=True)  # address of Plateau for who asked
    # What is told once, ever: two transactions that tell it write one row.
    once = models.CharField(max_length=120, null=True, blank=True, unique=True)  # unique
    created = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    due = models.DateTimeField()  # not before; a failed attempt moves it
    error = models.CharField(max_length=300, blank=True)  # of the last attempt
    ended = models.DateTimeField(null=True, blank=True)

    objects = OutgoingNoticeQuerySet.as_manager()

    class Meta:
        ordering = ["-created", "-pk"]
        indexes = [models.Index(fields=["state", "due"], name="outgoing_notice_due")]

    def __str__(self) -> str:
        return f"{self.event} by {self.channel}, {self.state}"
