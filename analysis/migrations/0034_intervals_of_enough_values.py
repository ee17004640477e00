"""Forget cached means whose intervals were given of too few independent values, too."""

from django.db import migrations


def forget(apps, _):
    """Means and summaries are caches: they are computed again when they are asked for."""
    apps.get_model("analysis", "TrendSummary").objects.all().delete()
    apps.get_model("analysis", "SteadyMean").objects.exclude(half=None).delete()


class Migration(migrations.Migration):
    dependencies = [("analysis", "0033_certainty")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
