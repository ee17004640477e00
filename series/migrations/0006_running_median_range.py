"""Draw every stored series anew: its range comes from running medians now."""

import numpy as np
from django.db import migrations

from series.drawings.outlines import draw

AT_ONCE = 100
DRAWN = ["robust_low", "robust_high", "outline"]


def redraw(apps, schema_editor):
    stored = apps.get_model("series", "SeriesValues")
    series = apps.get_model("series", "Series")
    pks = list(stored.objects.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(pks), AT_ONCE):
        part = [_redrawn(series, stored, pk) for pk in pks[start : start + AT_ONCE]]
        series.objects.bulk_update(part, DRAWN)


def _redrawn(series, stored, pk):
    """One series at a time: a hundred may be gigabytes."""
    drawing = draw(np.frombuffer(stored.objects.values_list("data", flat=True).get(pk=pk), "<f8"))
    return series(pk=pk, **{name: getattr(drawing, name) for name in DRAWN})


class Migration(migrations.Migration):

    dependencies = [
        ("series", "0005_copies"),
    ]

    operations = [
        migrations.RunPython(redraw, migrations.RunPython.noop),
    ]
