"""Access to studies: membership, invitations, sign-in."""

from __future__ import annotations
