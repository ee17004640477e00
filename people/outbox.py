"""Sending the notices that wait: tried again with longer and longer pauses, given up in the end.

A row is taken by moving its next attempt into the future, in one UPDATE whose count is read: two
workers do not send the same, and one that dies in between is followed by the next attempt. So a
notice is sent at least once; the webhook's `id` lets its reader drop a second copy.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import time
from datetime import datetime, timedelta
from smtplib import SMTPException, SMTPResponseException
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse
from django.utils import timezone

from people import mail_proof, services, webhook
from people.models import OutgoingNotice, Study
from people.models.outgoing_notice import ACCOUNT_RECOVERY, ADDRESS_PROOF

log = logging.getLogger(__name__)
PAUSES: Final = tuple(
    timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 1440)
)  # after each failed attempt but the last: 33 hours in all
MOST_ATTEMPTS: Final = len(PAUSES) + 1
KEPT: Final = timedelta(days=90)  # how long the log says what became of a notice
A_SWEEP: Final = 20.0  # seconds of sending, then workers see to their work again; the rest is next
STATE = OutgoingNotice.State


class NoLongerTrueError(Exception):
    """Refusal to send a notice, since what it tells of has been taken back."""


def send_due() -> int:
    """Send what is due, for `A_SWEEP` seconds at most; how many were sent. Called by workers."""
    deadline, sent_count = time.monotonic() + A_SWEEP, 0
    if not (settings.CAN_MAIL or settings.WEBHOOK):
        return 0  # switched off since: it waits until it is on again, or is too old
    for pk in OutgoingNotice.objects.due(timezone.now()).values_list("pk", flat=True)[:100]:
        if time.monotonic() > deadline:
            break
        sent_count += attempt(pk)
    return sent_count


def forget_old_notices() -> int:
    """Remove what was written so long ago that nobody looks for it; how many."""
    old_notices = OutgoingNotice.objects.filter(created__lt=timezone.now() - KEPT)
    return old_notices.delete()[0] if old_notices.exists() else 0


def attempt(pk: int) -> bool:
    """Try to send one that is due, unless another worker does; whether it was sent."""
    current_time = timezone.now()
    notice = OutgoingNotice.objects.due(current_time).filter(pk=pk).first()
    if notice is None or not _claim_attempt(notice, current_time):
        return False
    try:
        _deliver(notice)
    except NoLongerTrueError as error:
        _note_end(notice, STATE.DROPPED, str(error))
    except (OSError, SMTPException, ValueError) as fault:  # UnicodeError of a header
        log.warning(
            "%s (%s) could not be sent: %s", notice.event, notice.public_id, _fault_text(fault)
        )
        is_last_attempt = notice.attempts == MOST_ATTEMPTS
        _note_end(notice, STATE.FAILED if is_last_attempt else STATE.WAITING, _fault_text(fault))
    else:
        _note_end(notice, STATE.SENT, "")
        return True
    return False


def send_again(notice: OutgoingNotice) -> bool:
    """Try one that was given up from the beginning; False if somebody else has done so."""
    failed_notice = OutgoingNotice.objects.failed().filter(pk=notice.pk)
    column_values = {"state": STATE.WAITING, "attempts": 0, "due": timezone.now(), "ended": None}
    return failed_notice.update(**column_values) == 1


def _claim_attempt(notice: OutgoingNotice, current_time: datetime) -> bool:
    pause = PAUSES[min(notice.attempts, len(PAUSES) - 1)]
    own_attempt = OutgoingNotice.objects.filter(
        pk=notice.pk, state=STATE.WAITING, attempts=notice.attempts, due__lte=current_time
    )
    notice.attempts += 1
    return own_attempt.update(attempts=notice.attempts, due=current_time + pause) == 1


def _note_end(notice: OutgoingNotice, state: OutgoingNotice.State, error: str) -> None:
    end_time = None if state == STATE.WAITING else timezone.now()
    OutgoingNotice.objects.filter(pk=notice.pk).update(state=state, error=error, ended=end_time)


def _fault_text(fault: Exception) -> str:
    """The fault in words, without addresses: that of a webhook may hold a password."""
    host = urlsplit(settings.WEBHOOK).hostname
    return _fault_words(fault).replace(settings.WEBHOOK or "\0", host or "")[:300]


def _fault_words(fault: Exception) -> str:
    if isinstance(fault, SMTPResponseException):
        reply = fault.smtp_error
        text = reply.decode(errors="replace") if isinstance(reply, bytes) else reply
        return f"the mail server answered {fault.smtp_code}: {text}"
    if isinstance(fault, TimeoutError):
        return f"no answer within {settings.NOTICE_PATIENCE} s"
    return (isinstance(fault, OSError) and fault.strerror) or f"{fault}" or type(fault).__name__


# --- one notice, now ----------------------------------------------------------------------------
def _deliver(notice: OutgoingNotice) -> None:
    if notice.study_id and not Study.objects.filter(pk=notice.study_id).exists():
        raise NoLongerTrueError("the study was removed")
    if notice.channel == OutgoingNotice.Channel.MAIL:
        if not settings.CAN_MAIL:
            raise OSError("no mail server is set up any more")
        text = f"{notice.text}\n\n{_link(notice)}".strip()
        send_mail(" ".join(notice.subject.split()), text, None, [notice.to])
    else:
        _post(notice)


def _link(notice: OutgoingNotice) -> str:
    """Address where the reader goes on: a secret link of their own is made only now."""
    if notice.event == ACCOUNT_RECOVERY:
        return notice.site + _password_path(notice)
    if notice.event == ADDRESS_PROOF:
        user = notice.password_of
        if user is None or user.email != notice.to or not user.is_active:
            raise NoLongerTrueError("the account was closed, or has another mail address")
        return notice.site + mail_proof.proof_path(user)
    if notice.invitation is None:
        return address(notice)
    token = notice.invitation.token
    if not token or notice.invitation.state(timezone.now()) != "open":
        raise NoLongerTrueError("the link was used or revoked, or has expired")
    return notice.site + reverse("join", args=[token])


def _password_path(notice: OutgoingNotice) -> str:
    user = notice.password_of
    if user is None:
        raise NoLongerTrueError("nobody who can sign in has this mail address")
    if user.email != notice.to or not (user.is_active and user.has_usable_password()):
        raise NoLongerTrueError("the account was closed, or has another mail address")
    if user.last_login and user.last_login > notice.created:
        raise NoLongerTrueError("the person has signed in since")
    return services.password_path(user)


def address(notice: OutgoingNotice) -> str:
    """The page that the notice is about; empty where settings do not say where Plateau is."""
    return settings.PUBLIC_URL + notice.path if settings.PUBLIC_URL and notice.path else ""


def _post(notice: OutgoingNotice) -> None:
    if not settings.WEBHOOK:
        raise OSError("no webhook is set up any more")
    notice_fields = {
        "id": notice.public_id,
        "event": notice.event,
        "subject": notice.subject,
        "text": notice.text,
        "study": notice.study.name if notice.study else "",
        "address": address(notice),
    }
    body = json.dumps(notice_fields).encode()
    webhook.post(body, _headers(body))


def _headers(body: bytes) -> dict[str, str]:
    """Headers of a call: with a secret, a signature of the time and the body, so that neither
    can be made up.
    """
    content_headers = {"Content-Type": "application/json"}
    if not settings.WEBHOOK_SECRET:
        return content_headers
    timestamp = str(int(time.time()))
    return {
        **content_headers,
        "X-Plateau-Time": timestamp,
        "X-Plateau-Signature": signature(timestamp, body),
    }


def signature(timestamp: str, body: bytes) -> str:
    """Signature of a call: `sha256=` and the HMAC of "time.body" with the shared secret, in
    hexadecimal.
    """
    key = settings.WEBHOOK_SECRET.encode()
    return "sha256=" + hmac.new(key, f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
