from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


def renamed(model: str, owner: str, index: str) -> list[migrations.operations.base.Operation]:
    """The foreign key `owner` is called `job`; its column, and every row, stays as it is."""
    return [
        migrations.RemoveIndex(model, index),
        migrations.RenameField(model, owner, "job"),
        migrations.AlterField(
            model,
            "job",
            models.ForeignKey(
                f"analysis.{owner}",
                django.db.models.deletion.CASCADE,
                related_name="units",
                db_column=f"{owner}_id",
            ),
        ),
        migrations.AlterModelOptions(model, {"ordering": ["job_id", "pk"]}),
        migrations.AddIndex(model, models.Index(fields=["job", "state"], name=index)),
    ]


class Migration(migrations.Migration):
    """Chunks of runs and parts of explorations are units of jobs; nothing in the database changes."""

    dependencies: ClassVar = [("analysis", "0016_imported_methods")]

    operations: ClassVar = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                *(
                    migrations.AlterField(
                        model,
                        "study",
                        models.ForeignKey(
                            "people.study",
                            django.db.models.deletion.CASCADE,
                            related_name="%(class)ss",
                        ),
                    )
                    for model in ("run", "exploration")
                ),
                *renamed("chunk", "run", "chunk_progress"),
                migrations.RemoveConstraint("part", "parts_do_not_overlap"),
                *renamed("part", "exploration", "part_progress"),
                migrations.AddConstraint(
                    "part",
                    models.UniqueConstraint(
                        fields=["job", "first_set", "first_series"], name="parts_do_not_overlap"
                    ),
                ),
            ]
        )
    ]
