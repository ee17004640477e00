"""People, studies and who belongs to which."""

from __future__ import annotations

from people.models.audit_event import AuditEvent
from people.models.invitation import Invitation
from people.models.outgoing_notice import OutgoingNotice
from people.models.study import Membership, Role, Study
from people.models.token import ApiToken
from people.models.user import User

__all__ = [
    "ApiToken",
    "AuditEvent",
    "Invitation",
    "Membership",
    "OutgoingNotice",
    "Role",
    "Study",
    "User",
]
