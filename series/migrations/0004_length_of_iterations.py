"""Say how long iterations last where it is certain, and nobody had said it.

Published measurements have iterations of 0.1 s; they are known by the file that brought them.
Recordings and simulated series of the demo have one operation an iteration.
"""

import re

from django.db import migrations

PUBLISHED_FILE = re.compile(r"(?P<system>[^#/]+__[^#/]+)#(?P<name>[^#]+)#[^#]*\.json(?:\.gz)?")
RECORDED_FILE = re.compile(r"(?:java|node|pypy)-[a-z-]+\.json\.gz")
PUBLISHED = {"seconds_per_iteration": 0.1}
ONE_OPERATION = {"operations_per_iteration": 1}
AT_ONCE = 500


def say(apps, schema_editor):
    series = apps.get_model("series", "Series")
    imports = apps.get_model("series", "Import")
    unknown = series.objects.filter(benchmark__unit="s/op", seconds_per_iteration=None)
    done = imports.objects.filter(state="done", recording__isnull=False)
    for name, recording in done.values_list("file_name", "recording").iterator():
        here = unknown.filter(recording=recording)
        if found := PUBLISHED_FILE.fullmatch(name):
            of = here.filter(benchmark__system=found["system"], benchmark__name=found["name"])
            _set(of.filter(benchmark__mode="", settings={}), PUBLISHED)
        elif RECORDED_FILE.fullmatch(name):
            _set(here.filter(settings__measurement_batch_size=1), ONE_OPERATION)
    simulated = unknown.filter(benchmark__dataset__simulated=True, benchmark__system="simulated")
    _set(simulated.filter(settings={}), ONE_OPERATION)


def _set(series, said):
    """Nothing is added where the file spoke of a length."""
    rows = [
        row
        for row in series.only("pk", "settings", "seconds_per_iteration")
        if not {"measurement_seconds", *ONE_OPERATION} & set(row.settings)
    ]
    for row in rows:
        row.settings = {**row.settings, **said}
        row.seconds_per_iteration = said.get("seconds_per_iteration")
    series.model.objects.bulk_update(rows, ["settings", "seconds_per_iteration"], AT_ONCE)


class Migration(migrations.Migration):

    dependencies = [
        ("series", "0003_import_jobs"),
    ]

    operations = [
        migrations.RunPython(say, migrations.RunPython.noop),
    ]
