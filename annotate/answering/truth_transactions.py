"""Transactions that recompute ground truth: nothing is loaded while they hold the write lock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from annotate import recipes


@contextmanager
def truth_transaction() -> Iterator[None]:
    """Load what recipes need, then begin a transaction; also a decorator.

    Scikit-learn takes two seconds of processor time to load, once a process. On a busy machine,
    others would wait for SQLite's one write lock for longer than they may.
    """
    recipes.preload()
    with transaction.atomic():
        yield
