"""Sketch the values of all stored series without their order; copies of them are known by it.

Values that lie outside of the database are sketched when they are first compared.
"""

import numpy as np
from django.db import migrations, models

from detectors.copies import as_bytes, value_sketch

AT_ONCE = 100


def fill(apps, schema_editor):
    stored = apps.get_model("series", "SeriesValues")
    sketches = apps.get_model("series", "SeriesSketch")
    inside = stored.objects.filter(address=None).order_by("pk")
    pks = list(inside.values_list("pk", flat=True))
    for start in range(0, len(pks), AT_ONCE):
        part = sketches.objects.filter(pk__in=pks[start : start + AT_ONCE])
        for sketch in part:
            data = stored.objects.values_list("data", flat=True).get(pk=sketch.pk)
            sketch.value_hashes = as_bytes(value_sketch(np.frombuffer(data, "<f8")))
        sketches.objects.bulk_update(part, ["value_hashes"])


class Migration(migrations.Migration):

    dependencies = [
        ("series", "0010_counted_by_recording"),
    ]

    operations = [
        migrations.AddField(
            model_name="seriessketch",
            name="value_hashes",
            field=models.BinaryField(null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
