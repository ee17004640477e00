"""A search may look for a front of several figures at once."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("analysis", "0010_measured_ratios")]

    operations = [
        migrations.AlterField(
            model_name="exploration",
            name="kind",
            field=models.CharField(
                choices=[
                    ("sensitivity", "sensitivity"),
                    ("grid", "grid"),
                    ("search", "search"),
                    ("front", "search for a front"),
                ],
                max_length=11,
            ),
        ),
    ]
