"""`manage.py sweep`: queue what dead workers left behind."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from analysis.work import duties, services


class Command(BaseCommand):
    help = (
        "Queue chunks whose worker died and whose messages were lost. "
        "Workers do it themselves every 30 s."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        count = services.sweep()
        duties.do_all()
        self.stdout.write(f"{count} chunk{'' if count == 1 else 's'} queued")
