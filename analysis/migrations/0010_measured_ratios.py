"""Measurement deviations that were drawn once."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("analysis", "0009_explorations")]

    operations = [
        migrations.CreateModel(
            name="MeasuredRatio",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("low", models.FloatField(blank=True, null=True)),
                ("high", models.FloatField(blank=True, null=True)),
                ("close", models.BooleanField(default=False)),
            ],
            options={"ordering": ["pk"]},
        ),
    ]
