"""Pages of waiting files, for the tests of SQLite as of PostgreSQL."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.test import Client

from series.models import Import


def page_alone(client: Client, upload: Import) -> Any:
    """Its page without the other files, which are rows of every page; that of all is seen once."""
    with transaction.atomic():
        Import.objects.exclude(pk=upload.pk).update(state=Import.State.DONE)
        page = client.get(upload.get_absolute_url())
        transaction.set_rollback(True)
    return page
