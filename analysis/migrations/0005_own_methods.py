"""Methods of a study that came as a file of answers."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import people.public_id


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0004_longer_detector_keys"),
        ("people", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="OwnMethod",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "public_id",
                    models.CharField(
                        default=people.public_id.new_public_id, max_length=12, unique=True
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "waiting"), ("stored", "stored")],
                        default="waiting",
                        max_length=7,
                    ),
                ),
                ("title", models.CharField(max_length=60)),
                ("slug", models.CharField(max_length=64)),
                ("version", models.CharField(default="1", max_length=40)),
                ("code", models.CharField(max_length=4)),
                ("slot", models.PositiveIntegerField(blank=True, null=True)),
                ("detector_key", models.CharField(blank=True, max_length=2000)),
                (
                    "convention",
                    models.CharField(
                        choices=[
                            (
                                "steady-start",
                                "steady_start: the first steady iteration, counted from 0",
                            ),
                            (
                                "first",
                                "published_index: the first steady iteration, counted from 0",
                            ),
                            (
                                "first-from-1",
                                "published_index: the first steady iteration, counted from 1",
                            ),
                            (
                                "last-warm-up",
                                "published_index: the last warm-up iteration, counted from 0",
                            ),
                        ],
                        default="steady-start",
                        max_length=12,
                    ),
                ),
                ("file_name", models.CharField(max_length=300)),
                ("file_digest", models.CharField(max_length=64)),
                ("size", models.PositiveIntegerField()),
                ("content", models.BinaryField(blank=True, default=b"")),
                ("answers", models.PositiveIntegerField(default=0)),
                ("when", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="own_methods",
                        to="people.study",
                    ),
                ),
            ],
            options={
                "ordering": ["slug", "when", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "stored")),
                        fields=("study", "slug", "version"),
                        name="own_version_brought_once",
                    )
                ],
            },
        ),
    ]
