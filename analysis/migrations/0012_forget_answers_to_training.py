"""Answers of a learned method to the very series that it was fitted on go.

Until `plateau@3` and `plateau-online@2` one model answered every series, also those that it had
learned by heart. Nothing tells these answers apart, and no program gives them again; a run computes
new ones.
"""

from django.db import migrations

OLD = ("plateau@1", "plateau@2", "plateau-online@1")


def forget(apps, schema_editor):
    detections = apps.get_model("analysis", "Detection").objects
    for version in OLD:
        detections.filter(detector_key__startswith=f"{version}?").delete()


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0011_search_for_a_front"),
    ]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
    ]
