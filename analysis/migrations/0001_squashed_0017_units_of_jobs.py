"""All tables of the room at once, for a new database; an older one takes the steps that it lacks."""

import django.db.models.deletion
import django.utils.timezone
import people.public_id
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("analysis", "0001_initial"),
        ("analysis", "0002_initial"),
        ("analysis", "0003_runs_on_workers"),
        ("analysis", "0004_longer_detector_keys"),
        ("analysis", "0005_own_methods"),
        ("analysis", "0006_steady_means"),
        ("analysis", "0007_review_decisions"),
        ("analysis", "0008_not_available"),
        ("analysis", "0009_explorations"),
        ("analysis", "0010_measured_ratios"),
        ("analysis", "0011_search_for_a_front"),
        ("analysis", "0012_forget_answers_to_training"),
        ("analysis", "0013_write_probe"),
        ("analysis", "0014_series_of_chunks"),
        ("analysis", "0015_remove_lists_of_series"),
        ("analysis", "0016_imported_methods"),
        ("analysis", "0017_units_of_jobs"),
    ]

    initial = True

    dependencies = [
        ("annotate", "0001_squashed_0005_kinds_of_annotators"),
        ("people", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("series", "0001_squashed_0005_copies"),
    ]

    operations = [
        migrations.CreateModel(
            name="Exploration",
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
                ("name", models.CharField(max_length=120)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("running", "running"),
                            ("stopped", "stopped"),
                            ("done", "done"),
                        ],
                        default="queued",
                        max_length=7,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("began", models.DateTimeField(blank=True, null=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("sensitivity", "sensitivity"),
                            ("grid", "grid"),
                            ("search", "search"),
                            ("front", "search for a front"),
                        ],
                        max_length=11,
                    ),
                ),
                ("method", models.CharField(max_length=120)),
                ("varied", models.JSONField(default=list)),
                ("held", models.JSONField(default=dict)),
                ("yardstick", models.CharField(max_length=500)),
                ("yardstick_title", models.CharField(max_length=300)),
                ("dataset", models.CharField(blank=True, max_length=200)),
                ("goal", models.JSONField(default=dict)),
                ("samples", models.PositiveIntegerField(default=0)),
                ("seed", models.PositiveBigIntegerField(default=0)),
                ("series_ids", models.JSONField(default=list)),
                ("truth", models.BinaryField()),
                ("truth_digest", models.CharField(max_length=64)),
                ("series_count", models.PositiveIntegerField()),
                ("design", models.BinaryField()),
                ("planned", models.PositiveIntegerField(default=0)),
                ("wanted", models.PositiveIntegerField()),
                (
                    "started_by",
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
                        related_name="%(class)ss",
                        to="people.study",
                    ),
                ),
            ],
            options={
                "ordering": ["-created"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ImportedMethod",
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
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Part",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("size", models.PositiveIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("taken", "taken"),
                            ("done", "done"),
                            ("stopped", "stopped"),
                            ("given-up", "given up"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("lease", models.DateTimeField(blank=True, null=True)),
                ("worker", models.CharField(blank=True, max_length=100)),
                ("queued_at", models.DateTimeField(blank=True, null=True)),
                ("done_count", models.PositiveIntegerField(default=0)),
                ("failed_count", models.PositiveIntegerField(default=0)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("error", models.TextField(blank=True)),
                ("first_set", models.PositiveIntegerField()),
                ("sets", models.PositiveIntegerField()),
                ("first_series", models.PositiveIntegerField()),
                ("series", models.PositiveIntegerField()),
                ("answers", models.BinaryField(default=bytes)),
                ("seconds", models.FloatField(blank=True, null=True)),
                (
                    "job",
                    models.ForeignKey(
                        db_column="exploration_id",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="units",
                        to="analysis.exploration",
                    ),
                ),
            ],
            options={
                "ordering": ["job_id", "pk"],
                "indexes": [models.Index(fields=["job", "state"], name="part_progress")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("job", "first_set", "first_series"), name="parts_do_not_overlap"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Preset",
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
                ("name", models.CharField(max_length=80)),
                ("detector_key", models.CharField(max_length=2000)),
                ("provenance", models.JSONField(default=dict)),
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
                    "exploration",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="presets",
                        to="analysis.exploration",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="presets",
                        to="people.study",
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(fields=("study", "name"), name="preset_names_differ")
                ],
            },
        ),
        migrations.CreateModel(
            name="ReviewDecision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("accept", "accepted"),
                            ("look-again", "asked for another look"),
                            ("exclude", "excluded"),
                            ("undo", "took the decision back"),
                            ("note", "wrote"),
                        ],
                        max_length=10,
                    ),
                ),
                ("text", models.TextField(blank=True, max_length=500)),
                ("to_whom", models.JSONField(blank=True, default=list)),
                ("reasons", models.JSONField(blank=True, default=list)),
                ("marks_digest", models.CharField(blank=True, max_length=64)),
                ("client_id", models.UUIDField(unique=True)),
                ("when", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "series",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="review_decisions",
                        to="series.series",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="review_decisions",
                        to="annotate.task",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("kind__in", ["look-again", "exclude", "note"]), _negated=True
                            ),
                            models.Q(("text", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="review_says_why",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "look-again"), _negated=True),
                            ("task__isnull", False),
                            _connector="OR",
                        ),
                        name="review_asks_annotators_of_a_campaign",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Run",
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
                ("name", models.CharField(max_length=120)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("running", "running"),
                            ("stopped", "stopped"),
                            ("done", "done"),
                        ],
                        default="queued",
                        max_length=7,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("began", models.DateTimeField(blank=True, null=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("selection", models.JSONField(default=dict)),
                ("detectors", models.JSONField(default=list)),
                ("series_count", models.PositiveIntegerField(default=0)),
                ("wanted", models.PositiveIntegerField(default=0)),
                ("stored_before", models.PositiveIntegerField(default=0)),
                ("stored_by_key", models.JSONField(default=dict)),
                ("again", models.BooleanField(default=False)),
                (
                    "started_by",
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
                        related_name="%(class)ss",
                        to="people.study",
                    ),
                ),
            ],
            options={
                "ordering": ["-created"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Chunk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("size", models.PositiveIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("taken", "taken"),
                            ("done", "done"),
                            ("stopped", "stopped"),
                            ("given-up", "given up"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("lease", models.DateTimeField(blank=True, null=True)),
                ("worker", models.CharField(blank=True, max_length=100)),
                ("queued_at", models.DateTimeField(blank=True, null=True)),
                ("done_count", models.PositiveIntegerField(default=0)),
                ("failed_count", models.PositiveIntegerField(default=0)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("error", models.TextField(blank=True)),
                ("detector_key", models.CharField(max_length=2000)),
                ("differing", models.JSONField(default=list)),
                (
                    "job",
                    models.ForeignKey(
                        db_column="run_id",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="units",
                        to="analysis.run",
                    ),
                ),
            ],
            options={
                "ordering": ["job_id", "pk"],
                "indexes": [models.Index(fields=["job", "state"], name="chunk_progress")],
            },
        ),
        migrations.CreateModel(
            name="Detection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("detector_key", models.CharField(max_length=2000)),
                ("slug", models.CharField(db_index=True, max_length=80)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("answer", "answer"),
                            ("too-short", "too short"),
                            ("not-available", "not available"),
                            ("failed", "failed"),
                        ],
                        default="answer",
                        max_length=13,
                    ),
                ),
                ("steady_start", models.IntegerField(blank=True, null=True)),
                ("published_index", models.IntegerField(blank=True, null=True)),
                ("decided_at", models.IntegerField(blank=True, null=True)),
                ("flags", models.CharField(blank=True, max_length=200)),
                ("milliseconds", models.FloatField(blank=True, null=True)),
                ("error", models.TextField(blank=True)),
                ("when", models.DateTimeField(auto_now_add=True)),
                (
                    "series",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="detections",
                        to="series.series",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="detections",
                        to="analysis.run",
                    ),
                ),
            ],
            options={
                "ordering": ["series_id", "detector_key"],
                "indexes": [
                    models.Index(fields=["detector_key", "series"], name="detection_by_key")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("series", "detector_key"), name="detection_computed_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("outcome", "answer"), ("steady_start__isnull", False)),
                            models.Q(
                                models.Q(("outcome", "answer"), _negated=True),
                                ("steady_start__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="detection_answers_or_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SteadyMean",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("start", models.PositiveIntegerField()),
                ("mean", models.FloatField()),
                (
                    "series",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="steady_means",
                        to="series.series",
                    ),
                ),
            ],
            options={
                "ordering": ["series_id", "start"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("series", "start"), name="steady_mean_computed_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Worker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100, unique=True)),
                ("pid", models.PositiveIntegerField(default=0)),
                ("version", models.CharField(blank=True, max_length=40)),
                ("busy_with", models.CharField(blank=True, max_length=200)),
                ("started", models.DateTimeField()),
                ("last_beat", models.DateTimeField()),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="WriteProbe",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("written", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="ChunkSeries",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "chunk",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="analysis.chunk",
                    ),
                ),
                (
                    "series",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="in_chunks",
                        to="series.series",
                    ),
                ),
            ],
            options={
                "ordering": ["chunk_id", "series_id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("chunk", "series"), name="chunk_has_series_once"
                    )
                ],
            },
        ),
    ]
