"""Purposes of an invitation beside the study, told by rooms that this one does not know.

A room registers in `AppConfig.register()` an `InvitationPurpose`: what it says on the page of the
link, and what is done in the transaction in which the invitation is accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from people.late_registry import LateRegistry
from people.models import Invitation, User


@dataclass(frozen=True, slots=True)
class InvitationPurpose:
    """Each gives an empty text where the room has nothing to do with the invitation."""

    words: Callable[[Invitation], str]  # what whoever is invited is asked to do
    time_words: Callable[[Invitation], str]  # which that takes
    join: Callable[[Invitation, User], str]  # does it; the address to go on from


_registered = LateRegistry[list[InvitationPurpose]]([])


def register_purpose(purpose: InvitationPurpose) -> None:
    """Let invitations be for this, too."""
    _registered.present.append(purpose)


def request_words(invitation: Invitation) -> list[str]:
    """List what whoever accepts the invitation will do, beside being a member."""
    return [sentence for purpose in _registered.entries if (sentence := purpose.words(invitation))]


def request_time_words(invitation: Invitation) -> str:
    """Time that all of it takes, in words; empty for a member who is asked nothing."""
    return " ".join(
        filter(None, (purpose.time_words(invitation) for purpose in _registered.entries))
    )


def join(invitation: Invitation, user: User) -> str:
    """Do all that the invitation is for; the address of the first that has one."""
    addresses = [purpose.join(invitation, user) for purpose in _registered.entries]
    return next(filter(None, addresses), "")
