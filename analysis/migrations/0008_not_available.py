"""An outcome of its own for methods that lack something; stored ones were failures until now."""

from django.db import migrations, models

PREFIX = "not available: "  # how the contract's error begins
COUNTED = 500  # chunks read at a time


def told_apart(apps, schema_editor):
    failed = apps.get_model("analysis", "Detection").objects.filter(
        outcome="failed", error__startswith=PREFIX
    )
    keys = set(failed.values_list("detector_key", flat=True))
    failed.update(outcome="not-available")
    _count(apps, keys)


def failures_again(apps, schema_editor):
    lacking = apps.get_model("analysis", "Detection").objects.filter(outcome="not-available")
    keys = set(lacking.values_list("detector_key", flat=True))
    lacking.update(outcome="failed")
    _count(apps, keys)


def _count(apps, keys):
    """Failures of each chunk of these detector keys, as a worker counts them."""
    detections = apps.get_model("analysis", "Detection").objects.filter(outcome="failed")
    chunks = apps.get_model("analysis", "Chunk").objects.filter(detector_key__in=keys)
    for chunk in chunks.filter(done_count__gt=0).iterator(COUNTED):
        failed = detections.filter(
            detector_key=chunk.detector_key, series_id__in=chunk.series_ids
        ).count()
        chunks.filter(pk=chunk.pk).update(failed_count=failed)


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0007_review_decisions"),
    ]

    operations = [
        # Room for the longer word first; on the way back the word goes first.
        migrations.AlterField(
            model_name="detection",
            name="outcome",
            field=models.CharField(
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
        migrations.RunPython(told_apart, failures_again),
    ]
