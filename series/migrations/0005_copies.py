"""Sketch all series that are stored, and tell which are copies of one another."""

import numpy as np
import django.db.models.deletion
from django.db import migrations, models

from detectors.panel.copies import as_bytes, sketch
from series.values.copies import link

AT_ONCE = 100
TOLD_AT_ONCE = 2000


def fill(apps, schema_editor):
    stored = apps.get_model("series", "SeriesValues")
    sketches = apps.get_model("series", "SeriesSketch")
    pks = list(stored.objects.order_by("pk").values_list("pk", flat=True))
    for part in _parts(pks, AT_ONCE):
        sketches.objects.bulk_create(
            sketches(pk=pk, hashes=as_bytes(sketch(_values(stored, pk)))) for pk in part
        )
    for part in _parts(pks, TOLD_AT_ONCE):
        link(part, rows=apps.get_model("series", "Series"), sketches=sketches, columns=("hashes",))


def _values(stored, pk):
    """One series at a time: a hundred may be gigabytes."""
    return np.frombuffer(stored.objects.values_list("data", flat=True).get(pk=pk), "<f8")


def _parts(pks, size):
    return (pks[start : start + size] for start in range(0, len(pks), size))


class Migration(migrations.Migration):

    dependencies = [
        ("series", "0004_length_of_iterations"),
    ]

    operations = [
        migrations.AddField(
            model_name="series",
            name="copy_group",
            field=models.BigIntegerField(blank=True, db_index=True, null=True),
        ),
        migrations.CreateModel(
            name="SeriesSketch",
            fields=[
                (
                    "series",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="sketched",
                        serialize=False,
                        to="series.series",
                    ),
                ),
                ("hashes", models.BinaryField()),
            ],
            options={"verbose_name_plural": "series sketches"},
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
