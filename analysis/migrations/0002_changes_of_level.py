"""Columns for all changes of level in an answer: databases with earlier tables go on."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('analysis', '0001_tables')]

    operations = [
        migrations.AddField(
            model_name=model_name,
            name='changes',
            field=models.JSONField(blank=True, null=True),
        )
        for model_name in ('detection', 'removeddetection')
    ]
