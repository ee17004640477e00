"""The audit log: written by services in the transaction of what they do, read by owners and staff.

Who, from where and in which request is read from the request that is being answered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from formats import tables
from formats.tables import TableColumn
from people import request_facts
from people.models import ApiToken, AuditEvent, Study, User
from people.models.audit_event import AuditEventQuerySet
from people.query_form import PageControl, QueryForm, choice_field, parsed_field, text_field
from people.query_settings import AddressSetting

Action = AuditEvent.Action
COLUMNS: Final[tuple[TableColumn[AuditEvent], ...]] = (
    TableColumn(
        "when", lambda event: event.when.astimezone(UTC).isoformat(), "time in UTC, ISO 8601"
    ),
    TableColumn("who", lambda event: event.person_name, "user name; empty: a command or a worker"),
    TableColumn("address", lambda event: event.address, "address of the client"),
    TableColumn("action", lambda event: event.action, "kind of event"),
    TableColumn("study", lambda event: event.study_name, "name of the study at that time"),
    TableColumn("what", lambda event: event.what, "what it was done to"),
    TableColumn("request_id", lambda event: event.request_id, "names the request in the log"),
)


def record(
    action: AuditEvent.Action,
    details: str = "",
    *,
    study: Study | None = None,
    by: User | None = None,
) -> None:
    """Write a line. `by`: who did it, where that is not who is signed in."""
    current_facts = request_facts.current.get()
    token = request_token(current_facts.request)
    person = by or (token.by if token else _signed_in_user(current_facts.request))
    if token:
        details = f"{details}, with token {token.name}"
    AuditEvent.objects.create(
        action=action,
        person=person,
        person_name=person.username if person else "",
        address=current_facts.address[:45],
        request_id="" if current_facts.id == request_facts.NO_ID else current_facts.id,
        study=study,
        study_name=study.name if study else "",
        what=details[:300],
    )


def record_refused_sign_in(name: str) -> None:
    """Record a refused sign-in, without a name that nobody has: it may be a password in the
    wrong field.
    """
    user = User.objects.filter(username=name).first()
    record(Action.SIGN_IN_REFUSED, "" if user else "of a name that nobody has", by=user)


def record_export(request: HttpRequest, path: str) -> None:
    """A file of the study in the address, or of the one of the token."""
    token = request_token(request)
    slug = request.resolver_match.kwargs.get("study") if request.resolver_match else None
    study = token.study if token else Study.objects.filter(slug=slug).first() if slug else None
    record(Action.EXPORTED, path, study=study)


def request_token(request: HttpRequest | None) -> ApiToken | None:
    """Return the API token of the request, or None for a browser session."""
    auth = getattr(request, "auth", None)
    return auth if isinstance(auth, ApiToken) else None


def _signed_in_user(request: HttpRequest | None) -> User | None:
    user = getattr(request, "user", None)
    return user if isinstance(user, User) else None


def forget_old_events() -> int:
    """Remove what is older than PLATEAU_AUDIT_DAYS; how many lines. 0 days: keep all."""
    days = kept_days()
    return AuditEvent.objects.forget(timezone.now() - timedelta(days=days)) if days else 0


def kept_days() -> int:
    """Return for how many days a line is kept; 0 for ever."""
    return int(settings.AUDIT_DAYS)


# --- reading --------------------------------------------------------------------------------------
def _day_setting(field_name: str, fallback: str) -> AddressSetting:
    return AddressSetting(field_name, date.fromisoformat, "a date such as 2026-03-01", fallback)


def _date_control(label: str) -> PageControl:
    title = "A day such as 2026-03-01"
    return PageControl(label, empty="any day", title=title)


@dataclass(frozen=True, slots=True)
class AuditQuery(QueryForm):
    """Query of lines: of one kind, with a text in who, what or address, between two days."""

    action: str = choice_field(
        "action",
        "action",
        {"all": "", **{each.value: each.value for each in Action}},
        fallback="all events",
        control=PageControl("Event", shown={"all": "all", **dict(Action.choices)}),
    )
    text: str = text_field("q", "text", control=PageControl("Who, what or address"))
    since: date | None = parsed_field(
        "from", _day_setting("from", "events of all days"), None, control=_date_control("From")
    )
    until: date | None = parsed_field(
        "to", _day_setting("to", "events of all days"), None, control=_date_control("To")
    )

    def of_events(self, events: AuditEventQuerySet) -> AuditEventQuerySet:
        """Filter `events` by what is asked for; days are those of the reader's time zone."""
        event_filter = Q(action=self.action) if self.action else Q()
        if self.text:
            columns = ("person_name", "what", "address", "study_name", "request_id")
            event_filter &= Q.create(
                [(f"{column}__icontains", self.text) for column in columns], Q.OR
            )
        if self.since:
            event_filter &= Q(when__gte=_midnight(self.since))
        if self.until and self.until < date.max:
            event_filter &= Q(when__lt=_midnight(self.until + timedelta(days=1)))
        return events.filter(event_filter)


def _midnight(day: date) -> datetime:
    """Begin of a day in the reader's zone; the first and last days of the calendar in UTC.

    Those have no time in UTC where the zone is behind or ahead of it, and no event is so old.
    """
    zone = UTC if day in {date.min, date.max} else timezone.get_current_timezone()
    return datetime(day.year, day.month, day.day, tzinfo=zone)


def csv(events: AuditEventQuerySet) -> Iterator[str]:
    """The lines as a file."""
    return tables.write_rows(COLUMNS, events.iterator())
