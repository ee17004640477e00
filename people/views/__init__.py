"""Pages about people: signing in, account, members, invitations."""

from __future__ import annotations
