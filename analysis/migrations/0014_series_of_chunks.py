"""The series of a chunk as rows; they were a list of primary keys in the chunk."""

import django.db.models.deletion
from django.db import migrations, models

READ = 500  # chunks held at a time
WRITTEN = 5000  # rows of one statement


def as_rows(apps, schema_editor):
    """Series that are gone have no row; a worker left them out before, too."""
    there = set(apps.get_model("series", "Series").objects.values_list("pk", flat=True))
    rows = apps.get_model("analysis", "ChunkSeries")
    chunks = apps.get_model("analysis", "Chunk").objects.order_by("pk")
    held = []
    for pk, ids in chunks.values_list("pk", "series_ids").iterator(READ):
        held += [rows(chunk_id=pk, series_id=each) for each in sorted(there.intersection(ids))]
        if len(held) >= WRITTEN:
            rows.objects.bulk_create(held, batch_size=WRITTEN)
            held = []
    rows.objects.bulk_create(held, batch_size=WRITTEN)


def as_lists(apps, schema_editor):
    rows = apps.get_model("analysis", "ChunkSeries").objects
    chunks = apps.get_model("analysis", "Chunk").objects
    for pk in list(chunks.values_list("pk", flat=True)):
        ids = rows.filter(chunk=pk).order_by("series_id").values_list("series_id", flat=True)
        chunks.filter(pk=pk).update(series_ids=list(ids))


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0013_write_probe"),
        ("series", "0005_copies"),
    ]

    operations = [
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
            options={"ordering": ["chunk_id", "series_id"]},
        ),
        migrations.AddConstraint(
            model_name="chunkseries",
            constraint=models.UniqueConstraint(
                fields=("chunk", "series"), name="chunk_has_series_once"
            ),
        ),
        # With a default, the column can come again on the way back, to be filled below.
        migrations.AlterField(
            model_name="chunk", name="series_ids", field=models.JSONField(default=list)
        ),
        migrations.RunPython(as_rows, as_lists),
    ]
