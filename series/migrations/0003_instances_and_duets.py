"""Columns for the instance and the duet of a recording: databases of before go on."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('series', '0002_event_lanes')]

    operations = [
        migrations.AddField(
            model_name='recording',
            name='instance',
            field=models.CharField(blank=True, default='', max_length=200),
        ),
        migrations.AddField(
            model_name='recording',
            name='duet',
            field=models.CharField(blank=True, default='', max_length=200),
        ),
    ]
