"""An old data folder as a new version starts it: migrated, checked, and read by its owner.

`python -m tests.upgrade.start`: prints as JSON which pages do not answer 200, and what
`recompute --check` says. The folder is that of the settings.
"""

from __future__ import annotations

import io
import json
import os
import sys
from typing import Any

import django

PLAIN = "django.contrib.staticfiles.storage.StaticFilesStorage"


def started() -> dict[str, Any]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.conf import settings  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415  # needs the set-up
    from django.test import Client  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    said = io.StringIO()
    call_command("recompute", "startup-times/first-look", check=True, stdout=said)
    settings.STORAGES["staticfiles"]["BACKEND"] = PLAIN  # nothing was collected
    client = Client(headers={"host": "localhost"})
    client.post("/sign-in/", {"username": "olga", "password": "plateau-demo"})
    return {"recompute": said.getvalue(), "not shown": _not_shown(client)}


def _not_shown(client: Any) -> dict[str, int]:
    from analysis.runs.models import Run  # noqa: PLC0415
    from analysis.tuning.models import Exploration  # noqa: PLC0415
    from series.models import Series  # noqa: PLC0415

    study = "/s/startup-times/"
    pages = [
        *("/", study, f"{study}data/nightly/", f"{study}campaigns/", f"{study}runs/"),
        *(f"{study}campaigns/first-look/", f"{study}campaigns/first-look/results/"),
        *(f"{study}tuning/", f"{study}imported-methods/", f"{study}review/"),
        *(f"{study}comparison/", f"{study}comparison/cost/", f"{study}people/"),
        *(each.get_absolute_url() for each in Run.objects.all()),
        *(each.get_absolute_url() for each in Exploration.objects.all()),
        *(each.get_absolute_url() for each in Series.objects.all()),
    ]
    answers = {page: client.get(page, follow=True).status_code for page in pages}
    return {page: status for page, status in answers.items() if status != 200}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(started()) + "\n")
