"""Every table of the room at once."""

import django.db.models.deletion
import people.public_id
from django.conf import settings
from django.db import migrations, models

from people.create_tables import CreateTables


class Migration(migrations.Migration):

    replaces = [('series', '0011_values_without_order')]  # a database that has taken it has these tables

    initial = True

    dependencies = [
        ('people', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateTables([
            migrations.CreateModel(
                name='Series',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('public_id', models.CharField(default=people.public_id.new_public_id, max_length=12, unique=True)),
                    ('fork', models.PositiveIntegerField()),
                    ('n', models.PositiveIntegerField()),
                    ('digest', models.CharField(db_index=True, max_length=64)),
                    ('settings', models.JSONField(blank=True, default=dict)),
                    ('seconds_per_iteration', models.FloatField(blank=True, null=True)),
                    ('minimum', models.FloatField()),
                    ('median', models.FloatField()),
                    ('maximum', models.FloatField()),
                    ('median_last_half', models.FloatField()),
                    ('robust_low', models.FloatField()),
                    ('robust_high', models.FloatField()),
                    ('scale', models.FloatField()),
                    ('outline', models.JSONField(default=dict)),
                    ('copy_group', models.BigIntegerField(blank=True, db_index=True, null=True)),
                    ('known_start', models.IntegerField(blank=True, null=True)),
                    ('known_reason', models.CharField(blank=True, max_length=300)),
                    ('created', models.DateTimeField(auto_now_add=True)),
                    ('benchmark', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='series', to='series.benchmark')),
                    ('recording', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='series', to='series.recording')),
                ],
                options={
                    'verbose_name_plural': 'series',
                    'ordering': ['benchmark_id', 'recording_id', 'fork'],
                    'indexes': [models.Index(fields=['recording', 'benchmark', 'id', 'n'], name='series_of_recording'), models.Index(condition=models.Q(('known_start__isnull', False)), fields=['known_start'], name='series_known')],
                    'constraints': [models.UniqueConstraint(fields=('benchmark', 'recording', 'fork'), name='series_once_per_recording')],
                },
            ),
            migrations.CreateModel(
                name='Dataset',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=120)),
                    ('slug', models.SlugField(max_length=60)),
                    ('about', models.TextField(blank=True)),
                    ('source', models.CharField(blank=True, max_length=300)),
                    ('licence', models.CharField(blank=True, max_length=120)),
                    ('simulated', models.BooleanField(default=False)),
                    ('created', models.DateTimeField(auto_now_add=True)),
                    ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='datasets', to='people.study')),
                ],
                options={
                    'ordering': ['name'],
                    'constraints': [models.UniqueConstraint(fields=('study', 'name'), name='dataset_name_once_per_study'), models.UniqueConstraint(fields=('study', 'slug'), name='dataset_slug_once_per_study')],
                },
            ),
            migrations.CreateModel(
                name='Benchmark',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('public_id', models.CharField(default=people.public_id.new_public_id, max_length=12, unique=True)),
                    ('system', models.CharField(blank=True, max_length=200)),
                    ('name', models.CharField(max_length=400)),
                    ('params', models.CharField(blank=True, max_length=1000)),
                    ('unit', models.CharField(blank=True, max_length=40)),
                    ('mode', models.CharField(blank=True, max_length=40)),
                    ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='benchmarks', to='series.dataset')),
                    ('shown', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='shown_for', to='series.series')),
                    ('better', models.CharField(blank=True, choices=[('more', 'more is better'), ('less', 'less is better')], max_length=4)),
                ],
                options={
                    'ordering': ['system', 'name', 'params'],
                    'constraints': [models.UniqueConstraint(fields=('dataset', 'system', 'name', 'params'), name='benchmark_once_per_dataset')],
                },
            ),
            migrations.CreateModel(
                name='Recording',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('label', models.CharField(max_length=200)),
                    ('build', models.CharField(blank=True, max_length=200)),
                    ('measured_at', models.DateTimeField(blank=True, null=True)),
                    ('machine', models.CharField(blank=True, max_length=300)),
                    ('runtime', models.CharField(blank=True, max_length=300)),
                    ('notes', models.TextField(blank=True)),
                    ('created', models.DateTimeField(auto_now_add=True)),
                    ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='recordings', to='series.dataset')),
                ],
                options={
                    'ordering': ['-measured_at', '-created', 'label'],
                    'constraints': [models.UniqueConstraint(fields=('dataset', 'label'), name='recording_label_once_per_dataset')],
                },
            ),
            migrations.CreateModel(
                name='Import',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('public_id', models.CharField(default=people.public_id.new_public_id, max_length=12, unique=True)),
                    ('file_name', models.CharField(max_length=300)),
                    ('file_digest', models.CharField(db_index=True, max_length=64)),
                    ('size', models.PositiveBigIntegerField()),
                    ('state', models.CharField(choices=[('uploaded', 'waiting for confirmation'), ('running', 'being imported'), ('done', 'imported'), ('failed', 'not imported'), ('discarded', 'discarded')], default='uploaded', max_length=9)),
                    ('options', models.JSONField(blank=True, default=dict)),
                    ('preview', models.JSONField(blank=True, default=dict)),
                    ('stored', models.PositiveIntegerField(default=0)),
                    ('known', models.PositiveIntegerField(default=0)),
                    ('job', models.CharField(blank=True, max_length=12)),
                    ('error', models.TextField(blank=True)),
                    ('when', models.DateTimeField(auto_now_add=True)),
                    ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('dataset', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='imports', to='series.dataset')),
                    ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imports', to='people.study')),
                    ('recording', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='imports', to='series.recording')),
                ],
                options={
                    'ordering': ['-when'],
                },
            ),
            migrations.CreateModel(
                name='Samples',
                fields=[
                    ('series', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='samples', serialize=False, to='series.series')),
                    ('offsets', models.BinaryField()),
                    ('values', models.BinaryField()),
                    ('counts', models.BinaryField()),
                ],
                options={
                    'verbose_name_plural': 'samples',
                },
            ),
            migrations.CreateModel(
                name='SeriesSketch',
                fields=[
                    ('series', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sketched', serialize=False, to='series.series')),
                    ('hashes', models.BinaryField()),
                    ('value_hashes', models.BinaryField(null=True)),
                ],
                options={
                    'verbose_name_plural': 'series sketches',
                },
            ),
            migrations.CreateModel(
                name='SeriesValues',
                fields=[
                    ('series', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='stored', serialize=False, to='series.series')),
                    ('data', models.BinaryField()),
                    ('address', models.CharField(blank=True, max_length=80, null=True)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('address__isnull', False)), fields=['address'], name='values_outside')],
                },
            ),
            migrations.CreateModel(
                name='SeriesShape',
                fields=[
                    ('series', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='shaped', serialize=False, to='series.series')),
                    ('rule', models.PositiveSmallIntegerField()),
                    ('shape', models.CharField(db_index=True, max_length=12)),
                    ('classes', models.CharField(max_length=60)),
                    ('noise', models.CharField(blank=True, db_index=True, max_length=5)),
                    ('facts', models.JSONField(default=dict)),
                ],
            ),
            migrations.CreateModel(
                name='ReleasedValues',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('address', models.CharField(max_length=80, unique=True)),
                    ('since', models.DateTimeField(db_index=True)),
                ],
                options={
                    'verbose_name_plural': 'released values',
                },
            ),
        ]),
    ]
