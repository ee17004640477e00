"""Notices by mail and webhook: off, and nothing leaves the machine, unless settings name a server.

A notice is sent after its transaction, beside the request that made it and within
`config.mail.PATIENCE` seconds. One that cannot be sent is logged: no page fails or waits for it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from http.client import HTTPException
from smtplib import SMTPException
from typing import Final, Literal
from urllib.request import Request, urlopen

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction

log = logging.getLogger(__name__)
AT_ONCE: Final = 2  # further ones wait; a server that hangs holds up no more than these
_beside = ThreadPoolExecutor(AT_ONCE, "notices")


@dataclass(frozen=True, slots=True)
class Notice:
    """What happened, in words, and where to go on; without a mail address it goes to the webhook.

    A webhook reads all of it but the mail addresses: no notice holds an answer, and one with a
    secret link is for its reader alone.
    """

    event: Literal["invited", "reminded", "two-series-left", "review-asked"]
    subject: str
    text: str
    study: str
    path: str = ""  # of the page, from the installation's own address on
    to: tuple[str, ...] = ()
    is_secret: bool = False


def can_mail() -> bool:
    """Whether settings name a mail server."""
    return settings.CAN_MAIL


def is_on() -> bool:
    """Whether a notice would go anywhere."""
    return can_mail() or bool(settings.WEBHOOK)


def send(notice: Notice) -> None:
    """Send `notice` once what it tells of is stored; nothing where settings name nobody."""
    if is_on():
        transaction.on_commit(partial(beside, partial(deliver, notice)))


def beside(act: Callable[[], object]) -> Future[object]:
    """Do what may take seconds beside the request."""
    return _beside.submit(act)


def deliver(notice: Notice) -> None:
    """Send it now."""
    if can_mail():
        text = f"{notice.text}\n\n{_address(notice)}".strip()
        for each in filter(None, notice.to):
            mail(notice.subject, text, each)
    if settings.WEBHOOK and not notice.is_secret:
        _logged(notice.event, partial(_post, notice))


def mail(subject: str, text: str, to: str) -> None:
    """One mail to one person, now."""
    _logged(subject, lambda: send_mail(subject, text, None, [to]))


def _logged(what: str, act: Callable[[], object]) -> None:
    try:
        act()
    except (OSError, SMTPException, HTTPException, ValueError):  # UnicodeError of a mail address
        log.exception("could not be sent: %s", what)


def _post(notice: Notice) -> None:
    told = {**asdict(notice), "address": _address(notice)}
    body = json.dumps({name: told[name] for name in TOLD}).encode()
    kind = {"Content-Type": "application/json"}
    asked = Request(settings.WEBHOOK, body, kind)  # noqa: S310  # http or https: config.mail
    with urlopen(asked, timeout=settings.NOTICE_PATIENCE):  # noqa: S310  # the same
        pass


TOLD: Final = ("event", "subject", "text", "study", "address")


def _address(notice: Notice) -> str:
    """The page that the notice is about; empty where settings do not say where Plateau is."""
    return settings.PUBLIC_URL + notice.path if settings.PUBLIC_URL and notice.path else ""
