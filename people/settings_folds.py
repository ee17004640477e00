"""Folds of *People and settings*: each is hidden until used, and says its finding while closed.

A room above registers its own in `AppConfig.register()`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone

from people.late_registry import LateRegistry
from people.models import AuditEvent, OutgoingNotice, Study
from people.templatetags.writing import grouped


@dataclass(frozen=True, slots=True)
class SettingsFold:
    """One fold.

    code     id of its part of the page
    route    name of the address that shows the page with this fold open
    start    entry of *More* that begins what nobody has used yet; empty without one
    finding  what the closed line says; empty where nothing of it was used
    """

    code: str
    label: str
    route: str
    start: str
    finding: Callable[[Study], str]


@dataclass(frozen=True, slots=True)
class FoldLine:
    """A fold as the page of one study shows it."""

    code: str
    label: str
    address: str
    start: str
    finding: str


def _token_finding(study: Study) -> str:
    current_time = timezone.now()
    tokens = list(study.tokens.all())
    usable_count = sum(token.state(current_time) == "open" for token in tokens)
    return f"{usable_count} of {len(tokens)} can be used" if tokens else ""


def _notice_finding(study: Study) -> str:
    """Say how many there are; the page itself names those that could not be sent."""
    count = OutgoingNotice.objects.shown_in(study).count()
    return f"{grouped(count)} written" if count else ""


def _audit_finding(study: Study) -> str:
    count = AuditEvent.objects.filter(study=study).count()
    return f"{grouped(count)} event{'' if count == 1 else 's'}" if count else ""


_folds = LateRegistry(
    [
        SettingsFold("tokens", "Tokens for programs", "tokens", "Make a token", _token_finding),
        SettingsFold("notices", "Notices", "notices", "", _notice_finding),
        SettingsFold("audit", "Audit log", "study-audit", "", _audit_finding),
    ]
)


def register_fold(fold: SettingsFold) -> None:
    """Add the fold of a room that stands above this one."""
    if fold not in _folds.present:
        _folds.present.append(fold)


def fold_lines(study: Study) -> list[FoldLine]:
    """Every fold with its finding in this study."""
    return [
        FoldLine(
            fold.code,
            fold.label,
            reverse(fold.route, args=[study.slug]),
            fold.start,
            fold.finding(study),
        )
        for fold in _folds.entries
    ]
