"""Table for events of measured processes: databases of before go on."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('series', '0001_tables')]

    operations = [
        migrations.CreateModel(
            name='StoredEventLane',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=60)),
                ('title', models.CharField(max_length=300)),
                ('unit', models.CharField(blank=True, max_length=40)),
                ('clock', models.CharField(choices=[('seconds', 'seconds since the process started'), ('iterations', 'iterations')], max_length=10)),
                ('ends_known', models.BooleanField(default=True)),
                ('offset', models.FloatField(blank=True, null=True)),
                ('events', models.JSONField(default=dict)),
                ('count', models.PositiveIntegerField()),
                ('size', models.PositiveIntegerField()),
                ('file_name', models.CharField(max_length=300)),
                ('file_digest', models.CharField(max_length=64)),
                ('when', models.DateTimeField(auto_now_add=True)),
                ('series', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='event_lanes', to='series.series')),
            ],
            options={
                'ordering': ['series_id', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('series', 'kind'), name='event_lane_once_per_series')],
            },
        ),
    ]
