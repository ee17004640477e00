"""Duties that workers fulfil now and then beside the queue, registered by other packages."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.db import DatabaseError

from people.database import is_unavailable
from people.late_registry import LateRegistry

log = logging.getLogger(__name__)
Duty = Callable[[], object]
_duties = LateRegistry[list[Duty]]([])


def register_duties(*duties: Duty) -> None:
    """Let `duties` be called at every sweep: each is quick where there is nothing to do."""
    _duties.present.extend(duties)


def do_all() -> None:
    """Call every duty; a fault of one is logged, and keeps no other one from being called.

    Raises DatabaseError where the database is busy or gone: the next sweep tries again.
    """
    for duty in _duties.entries:
        try:
            duty()
        except Exception as error:
            if isinstance(error, DatabaseError) and is_unavailable(error):
                raise
            log.exception("a duty of workers failed; it is tried again")
