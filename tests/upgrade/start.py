"""Old data folders as a new version starts them: migrated, checked, and read by their owner.

`python -m tests.upgrade.start FOLDER…`: prints as JSON, by folder, which pages do not answer 200,
and what `recompute --check` says. A folder with an `archive.zip` gets its study once more, for as
long as that is checked.
"""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import django

from config import garbage

PLAIN = "django.contrib.staticfiles.storage.StaticFilesStorage"


def started(folder: Path) -> dict[str, Any]:
    from django.conf import settings  # noqa: PLC0415
    from django.contrib.contenttypes.models import ContentType  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415  # needs the set-up
    from django.db import connection  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    connection.close()
    connection.settings_dict["NAME"] = str(folder / "plateau.sqlite3")
    settings.DATA_DIR = folder
    ContentType.objects.clear_cache()  # numbers of another database
    call_command("migrate", verbosity=0)
    said = _recomputed("startup-times")
    settings.STORAGES["staticfiles"]["BACKEND"] = PLAIN  # nothing was collected
    client = Client(headers={"host": "localhost"})
    client.post("/sign-in/", {"username": "olga", "password": "plateau-demo"})
    archive = folder / "archive.zip"
    imported = _imported(archive) if archive.exists() else ""
    return {"recompute": said, "not shown": _not_shown(client), "imported": imported}


def _recomputed(study: str) -> str:
    from django.core.management import call_command  # noqa: PLC0415

    said = io.StringIO()
    call_command("recompute", f"{study}/first-look", check=True, stdout=said)
    return said.getvalue()


def _imported(archive: Path) -> str:
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import transaction  # noqa: PLC0415

    said = io.StringIO()
    with transaction.atomic():
        call_command("import_archive", str(archive), owner="olga", stdout=said)
        found = _recomputed(said.getvalue().partition(":")[0])
        transaction.set_rollback(True)
    return found


def _not_shown(client: Any) -> dict[str, int]:
    from analysis.archive.models import ArchiveJob  # noqa: PLC0415
    from analysis.runs.models import Run  # noqa: PLC0415
    from analysis.tuning.models import Exploration  # noqa: PLC0415
    from series.models import Benchmark, Series  # noqa: PLC0415

    study = "/s/startup-times/"
    pages = [
        *("/", study, f"{study}data/nightly/", f"{study}campaigns/", f"{study}runs/"),
        *(f"{study}campaigns/first-look/", f"{study}campaigns/first-look/?tab=truth"),
        *(f"{study}tuning/", f"{study}imported-methods/", f"{study}review/"),
        *(f"{study}comparison/", f"{study}comparison/cost/", f"{study}people/"),
        *(f"{study}archives/", f"{study}data/nightly/trend/?start=half"),
        *(f"{each.get_absolute_url()}file/" for each in ArchiveJob.objects.all()),
        *(f"{each.get_absolute_url()}trend/?start=half" for each in Benchmark.objects.all()),
        *(each.get_absolute_url() for each in Run.objects.all()),
        *(each.get_absolute_url() for each in Exploration.objects.all()),
        *(each.get_absolute_url() for each in Series.objects.all()),
    ]
    answers = {page: client.get(page, follow=True).status_code for page in pages}
    return {page: status for page, status in answers.items() if status != 200}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with garbage.paused():
        django.setup()
    told = {folder: started(Path(folder)) for folder in sys.argv[1:]}
    sys.stdout.write(json.dumps(told) + "\n")
