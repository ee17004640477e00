"""Column for all changes of level in one answer: databases with earlier tables go on."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):

    dependencies = [('annotate', '0002_show_events')]

    operations = [
        migrations.AddField(
            model_name='mark',
            name='changes',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name='mark',
            constraint=models.CheckConstraint(
                condition=Q(kind='changes', changes__isnull=False)
                | (~Q(kind='changes') & Q(changes__isnull=True)),
                name='mark_changes_of_their_kind',
                violation_error_message='Changes of level are an answer of their own kind.',
            ),
        ),
    ]
