"""Notices by mail and webhook: off, and nothing leaves the machine, unless settings name a server.

A notice is written in the transaction of what it tells of, one row a mail and one for the webhook;
`people.outbox` sends it from a worker, and links for new passwords as well. No page fails or waits
for a server, and none is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from django.conf import settings
from django.utils import timezone

from people.models import Invitation, OutgoingNotice, Study, User
from people.models.outgoing_notice import ACCOUNT_RECOVERY, ADDRESS_PROOF, OutgoingNoticeQuerySet

LONGEST_SUBJECT: Final = 300  # characters

Event = Literal[
    "invited",
    "reminded",
    "two-series-left",
    "review-asked",
    "campaign-complete",
    "run-finished",
    "import-finished",
    "regression",
]
MAIL, WEBHOOK = OutgoingNotice.Channel.MAIL, OutgoingNotice.Channel.WEBHOOK


@dataclass(frozen=True, slots=True)
class Notice:
    """Event in words, and where to go on; without a mail address it goes to the webhook.

    A webhook reads all of it but the mail addresses: no notice holds an answer. One with an
    `invitation`, whose link begins with `site`, is secret and for its reader alone. What has a
    name in `once` is told once, ever, whoever tells it again.
    """

    event: Event
    subject: str
    text: str
    study: Study
    path: str = ""  # of the page, from the installation's own address on
    to: tuple[str, ...] = ()
    invitation: Invitation | None = None
    site: str = ""
    once: str = ""


def can_mail() -> bool:
    """Return whether settings name a mail server."""
    return settings.CAN_MAIL


def is_on() -> bool:
    """Return whether a notice would go anywhere."""
    return can_mail() or bool(settings.WEBHOOK)


def send(notice: Notice) -> int:
    """Let a worker send `notice`; in how many mails and calls. None where settings name nobody."""
    rows = [
        OutgoingNotice(
            study=notice.study,
            event=notice.event,
            channel=channel,
            to=address,
            subject=notice.subject[:LONGEST_SUBJECT],
            text=notice.text,
            path=notice.path,
            invitation=notice.invitation,
            site=notice.site,
            once=f"{notice.once}:{channel}:{address}"[-120:] if notice.once else None,
            due=timezone.now(),
        )
        for channel, address in _channels_and_addresses(notice)
    ]
    sent_notices = OutgoingNotice.objects.filter(once__in=[row.once for row in rows if row.once])
    sent_keys = set(sent_notices.values_list("once", flat=True)) if notice.once else set()
    new_rows = [row for row in rows if row.once not in sent_keys]
    # Somebody else may tell the same at this moment.
    OutgoingNotice.objects.bulk_create(new_rows, ignore_conflicts=True)
    return len(new_rows)


def _channels_and_addresses(notice: Notice) -> Iterator[tuple[OutgoingNotice.Channel, str]]:
    if can_mail():
        yield from ((MAIL, address) for address in notice.to if address)
    if settings.WEBHOOK and notice.invitation is None:
        yield WEBHOOK, ""


# --- links for an account -----------------------------------------------------------------------
def send_password_links(users: Sequence[User], *, site: str) -> None:
    """Let a worker mail each of `users` a link for a new password, unless one waits already.

    For nobody a row is written, too, and dropped by the worker: without it, the time that the
    answer takes would tell whether somebody has the mail address.
    """
    waiting_notices = _waiting_notices(ACCOUNT_RECOVERY)
    waiting_user_pks = set(
        waiting_notices.filter(password_of__in=users).values_list("password_of", flat=True)
    )
    OutgoingNotice.objects.bulk_create(
        _password_mail(user, site)
        for user in users or (None,)
        if user is None or user.pk not in waiting_user_pks
    )


def _password_mail(user: User | None, site: str) -> OutgoingNotice:
    name = user.get_username() if user else ""
    return OutgoingNotice(
        event=ACCOUNT_RECOVERY,
        channel=MAIL,
        to=user.email if user else "",
        subject="New password for Plateau",
        text=(
            f"Somebody asked for a new password for the user name {name} of Plateau. "
            "If it was not you, do nothing: your password stays as it is.\n\n"
            "Set a new one here, once, within a day:"
        ),
        password_of=user,
        site=site,
        due=timezone.now(),
    )


def send_address_link(user: User, *, site: str) -> None:
    """Let a worker mail `user` a link that proves the address, unless one waits for it already."""
    if _waiting_notices(ADDRESS_PROOF).filter(password_of=user, to=user.email).exists():
        return
    OutgoingNotice.objects.create(
        event=ADDRESS_PROOF,
        channel=MAIL,
        to=user.email,
        subject="Mail address of Plateau",
        text=(
            f"Somebody wrote this mail address into the account {user.get_username()} of Plateau. "
            "If it was not you, do nothing.\n\n"
            "Sign in with that account and prove the address here, within a day:"
        ),
        password_of=user,
        site=site,
        due=timezone.now(),
    )


def _waiting_notices(event: str) -> OutgoingNoticeQuerySet:
    return OutgoingNotice.objects.filter(event=event, state=OutgoingNotice.State.WAITING)
