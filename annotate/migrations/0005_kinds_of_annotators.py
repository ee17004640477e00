"""Who answers is a person, a round, or a published classification."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

PAIRING = (
    "First-stage label, given on a fork that the package does not name; "
    "paired with fork 0, as the published comparison pairs it."
)
KINDS = {
    "published": "published",
    "round1": "round",
    "round2": "round",
    "tie-break": "round",
}


def recognise(apps: Any, _: Any) -> None:
    """Those that an import made: they cannot sign in, and every mark has the import's own note."""
    annotators = apps.get_model("annotate", "Annotator")
    marks = apps.get_model("annotate", "Mark")
    imported = annotators.objects.filter(pseudonym__in=KINDS, user__is_active=False)
    for each in imported:
        theirs = marks.objects.filter(task__campaign=each.campaign_id, annotator=each.user_id)
        if theirs.exists() and not theirs.exclude(note=PAIRING).exists():
            each.kind = KINDS[each.pseudonym]
            each.save(update_fields=["kind"])


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0004_people_as_instruments'),
    ]

    operations = [
        migrations.AddField(
            model_name='annotator',
            name='kind',
            field=models.CharField(choices=[('person', 'person'), ('round', 'round, dealt to several people'), ('published', 'published classification, no person')], default='person', max_length=9),
        ),
        migrations.RunPython(recognise, migrations.RunPython.noop),
    ]
