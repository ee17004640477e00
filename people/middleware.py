"""Sessions that end at the sign-out, dates in the person's own zone, pages kept by nobody."""

from __future__ import annotations

import logging
import zoneinfo
from collections.abc import Callable
from datetime import datetime, timedelta
from http import HTTPStatus

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from people import audit, database
from people.models import User

log = logging.getLogger(__name__)
SEEN_EVERY = timedelta(hours=1)


class KeptSessionCookie(SessionMiddleware):
    """Takes a session's cookie away in the answer to a sign-out only.

    Django takes it with every answer to a request whose session is gone. One of those that comes
    late would take the cookie of whoever has signed in meanwhile, in another tab.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        answer = super().process_response(request, response)
        if request.session.is_empty() and not request.session.modified:
            answer.cookies.pop(settings.SESSION_COOKIE_NAME, None)
        return answer


class PersonalPages:
    """Lets nobody keep a page of somebody who is signed in: the next user of a shared computer
    would find it with the back button. A view that says how long its answer lasts decides."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.user.is_authenticated:
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response


class NoteExports:
    """Writes into the audit log which file was given to whom: every answer that is a download.

    Reading is not refused where the database takes no writes: the log tells of it then.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        disposition = response.headers.get("Content-Disposition", "")
        if response.status_code == HTTPStatus.OK and disposition.startswith("attachment"):
            path = request.get_full_path()
            if not database.write_unless_busy(lambda: audit.record_export(request, path)):
                log.warning("not in the audit log, which is busy: export of %s", path)
        return response


class TimeZone:
    """Activates the person's time zone; notes once an hour that they were here.

    The session is renewed with it: saving it at every request would make
    each page view a write.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if not user.is_authenticated:
            return self.get_response(request)
        current_time = timezone.now()
        if (user.last_seen is None or current_time - user.last_seen > SEEN_EVERY) and _note_visit(
            user, current_time
        ):
            request.session.modified = True
        with timezone.override(_zone(user.zone)):
            return self.get_response(request)


def _note_visit(user: User, current_time: datetime) -> bool:
    """Note the visit; where the database is busy, the next page does: nobody waits for this to
    read one.
    """
    rows = User.objects.filter(pk=user.pk)
    return database.write_unless_busy(lambda: rows.update(last_seen=current_time))


def _zone(name: str) -> zoneinfo.ZoneInfo:
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return zoneinfo.ZoneInfo("UTC")
