"""All tables of the room at once, for a new database; an older one takes the steps that it lacks."""

from django.conf import settings
from django.db import migrations, models
import django.db.models.deletion
import people.public_id


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("series", "0001_initial"),
        ("series", "0002_shown_and_preview"),
        ("series", "0003_import_jobs"),
        ("series", "0004_length_of_iterations"),
        ("series", "0005_copies"),
    ]

    dependencies = [
        ("people", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Series",
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
                ("fork", models.PositiveIntegerField()),
                ("n", models.PositiveIntegerField()),
                ("digest", models.CharField(db_index=True, max_length=64)),
                ("settings", models.JSONField(blank=True, default=dict)),
                ("seconds_per_iteration", models.FloatField(blank=True, null=True)),
                ("minimum", models.FloatField()),
                ("median", models.FloatField()),
                ("maximum", models.FloatField()),
                ("median_last_half", models.FloatField()),
                ("robust_low", models.FloatField()),
                ("robust_high", models.FloatField()),
                ("scale", models.FloatField()),
                ("outline", models.JSONField(default=dict)),
                ("copy_group", models.BigIntegerField(blank=True, db_index=True, null=True)),
                ("known_start", models.IntegerField(blank=True, null=True)),
                ("known_reason", models.CharField(blank=True, max_length=300)),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name_plural": "series",
                "ordering": ["benchmark_id", "recording_id", "fork"],
            },
        ),
        migrations.CreateModel(
            name="Dataset",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("slug", models.SlugField(max_length=60)),
                ("about", models.TextField(blank=True)),
                ("source", models.CharField(blank=True, max_length=300)),
                ("licence", models.CharField(blank=True, max_length=120)),
                ("simulated", models.BooleanField(default=False)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="datasets",
                        to="people.study",
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Benchmark",
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
                ("system", models.CharField(blank=True, max_length=200)),
                ("name", models.CharField(max_length=400)),
                ("params", models.CharField(blank=True, max_length=1000)),
                ("unit", models.CharField(blank=True, max_length=40)),
                ("mode", models.CharField(blank=True, max_length=40)),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="benchmarks",
                        to="series.dataset",
                    ),
                ),
            ],
            options={
                "ordering": ["system", "name", "params"],
            },
        ),
        migrations.CreateModel(
            name="Recording",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("label", models.CharField(max_length=200)),
                ("build", models.CharField(blank=True, max_length=200)),
                ("measured_at", models.DateTimeField(blank=True, null=True)),
                ("machine", models.CharField(blank=True, max_length=300)),
                ("runtime", models.CharField(blank=True, max_length=300)),
                ("notes", models.TextField(blank=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recordings",
                        to="series.dataset",
                    ),
                ),
            ],
            options={
                "ordering": ["-measured_at", "-created", "label"],
            },
        ),
        migrations.CreateModel(
            name="Import",
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
                ("file_name", models.CharField(max_length=300)),
                ("file_digest", models.CharField(db_index=True, max_length=64)),
                ("size", models.PositiveBigIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("uploaded", "waiting for confirmation"),
                            ("running", "being imported"),
                            ("done", "imported"),
                            ("failed", "not imported"),
                            ("discarded", "discarded"),
                        ],
                        default="uploaded",
                        max_length=9,
                    ),
                ),
                ("options", models.JSONField(blank=True, default=dict)),
                ("preview", models.JSONField(blank=True, default=dict)),
                ("stored", models.PositiveIntegerField(default=0)),
                ("known", models.PositiveIntegerField(default=0)),
                ("job", models.CharField(blank=True, max_length=12)),
                ("error", models.TextField(blank=True)),
                ("when", models.DateTimeField(auto_now_add=True)),
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
                    "dataset",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imports",
                        to="series.dataset",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imports",
                        to="people.study",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="imports",
                        to="series.recording",
                    ),
                ),
            ],
            options={
                "ordering": ["-when"],
            },
        ),
        migrations.CreateModel(
            name="Samples",
            fields=[
                (
                    "series",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="samples",
                        serialize=False,
                        to="series.series",
                    ),
                ),
                ("offsets", models.BinaryField()),
                ("values", models.BinaryField()),
                ("counts", models.BinaryField()),
            ],
            options={
                "verbose_name_plural": "samples",
            },
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
            options={
                "verbose_name_plural": "series sketches",
            },
        ),
        migrations.CreateModel(
            name="SeriesValues",
            fields=[
                (
                    "series",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="stored",
                        serialize=False,
                        to="series.series",
                    ),
                ),
                ("data", models.BinaryField()),
            ],
        ),
        migrations.AddField(
            model_name="series",
            name="benchmark",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="series",
                to="series.benchmark",
            ),
        ),
        migrations.AddField(
            model_name="series",
            name="recording",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="series",
                to="series.recording",
            ),
        ),
        migrations.AddField(
            model_name="benchmark",
            name="shown",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="shown_for",
                to="series.series",
            ),
        ),
        migrations.AddConstraint(
            model_name="dataset",
            constraint=models.UniqueConstraint(
                fields=("study", "name"), name="dataset_name_once_per_study"
            ),
        ),
        migrations.AddConstraint(
            model_name="dataset",
            constraint=models.UniqueConstraint(
                fields=("study", "slug"), name="dataset_slug_once_per_study"
            ),
        ),
        migrations.AddConstraint(
            model_name="recording",
            constraint=models.UniqueConstraint(
                fields=("dataset", "label"), name="recording_label_once_per_dataset"
            ),
        ),
        migrations.AddConstraint(
            model_name="series",
            constraint=models.UniqueConstraint(
                fields=("benchmark", "recording", "fork"), name="series_once_per_recording"
            ),
        ),
        migrations.AddConstraint(
            model_name="benchmark",
            constraint=models.UniqueConstraint(
                fields=("dataset", "system", "name", "params"), name="benchmark_once_per_dataset"
            ),
        ),
    ]
