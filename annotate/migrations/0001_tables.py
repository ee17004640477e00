"""Every table of the room at once."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from people.create_tables import CreateTables


class Migration(migrations.Migration):

    replaces = [('annotate', '0010_turns')]  # a database that has taken it has these tables

    initial = True

    dependencies = [
        ('people', '0001_tables'),
        ('series', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateTables([
            migrations.CreateModel(
                name='Campaign',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=120)),
                    ('slug', models.SlugField(max_length=60)),
                    ('state', models.CharField(choices=[('draft', 'draft'), ('open', 'open'), ('closed', 'closed')], default='draft', max_length=6)),
                    ('purpose', models.CharField(choices=[('annotate', 'annotate'), ('screening', 'screening'), ('changes', 'all changes of level'), ('training', 'training'), ('repeat', 'second pass')], default='annotate', max_length=10)),
                    ('pass_mark', models.FloatField(default=0.75)),
                    ('second_share', models.FloatField(default=0.0)),
                    ('second_days', models.PositiveIntegerField(default=7)),
                    ('checks', models.PositiveIntegerField(default=0)),
                    ('ask_difficulty', models.BooleanField(default=False)),
                    ('recipe', models.CharField(default='jagt', max_length=40)),
                    ('params', models.JSONField(blank=True, default=dict)),
                    ('instructions', models.TextField(blank=True)),
                    ('guide_version', models.PositiveIntegerField(default=1)),
                    ('hide_names', models.BooleanField(default=True)),
                    ('hide_values', models.BooleanField(default=False)),
                    ('overlap', models.PositiveIntegerField(blank=True, null=True)),
                    ('seed', models.PositiveBigIntegerField(default=0)),
                    ('selection', models.JSONField(blank=True, default=dict)),
                    ('created', models.DateTimeField(auto_now_add=True)),
                    ('opened_at', models.DateTimeField(blank=True, null=True)),
                    ('closed_at', models.DateTimeField(blank=True, null=True)),
                    ('closed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('follows', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='followed_by', to='annotate.campaign')),
                    ('repeats', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='second_passes', to='annotate.campaign')),
                    ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='campaigns', to='people.study')),
                    ('training', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='trains', to='annotate.campaign')),
                    ('archived_at', models.DateTimeField(blank=True, null=True)),
                    ('simulated', models.BooleanField(default=False, editable=False)),
                ],
                options={
                    'ordering': ['-created'],
                    'constraints': [models.UniqueConstraint(fields=('study', 'slug'), name='campaign_slug_once_per_study'), models.CheckConstraint(condition=models.Q(('simulated', False), ('name__endswith', 'simulated annotators'), _connector='OR'), name='simulated_campaign_says_so', violation_error_message='The name of this campaign ends with “simulated annotators”.')],
                },
            ),
            migrations.CreateModel(
                name='Annotator',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('pseudonym', models.CharField(max_length=40)),
                    ('cap', models.PositiveIntegerField(blank=True, null=True)),
                    ('guide_seen', models.PositiveIntegerField(default=0)),
                    ('passed_at', models.DateTimeField(blank=True, null=True)),
                    ('kind', models.CharField(choices=[('person', 'person'), ('round', 'round, dealt to several people'), ('published', 'published classification, no person'), ('screening', 'majority of the screening, no person')], default='person', max_length=9)),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='annotates', to=settings.AUTH_USER_MODEL)),
                    ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='annotators', to='annotate.campaign')),
                ],
                options={
                    'ordering': ['campaign_id', 'pseudonym'],
                    'constraints': [models.UniqueConstraint(fields=('campaign', 'user'), name='annotator_once'), models.UniqueConstraint(fields=('campaign', 'pseudonym'), name='pseudonym_once')],
                },
            ),
            migrations.CreateModel(
                name='Task',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('position', models.PositiveIntegerField()),
                    ('turn', models.PositiveIntegerField(db_default=0, default=0)),
                    ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tasks', to='annotate.campaign')),
                    ('series', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to='series.series')),
                ],
                options={
                    'ordering': ['campaign_id', 'position'],
                    'constraints': [models.UniqueConstraint(fields=('campaign', 'series'), name='task_series_once'), models.UniqueConstraint(fields=('campaign', 'position'), name='task_position_once')],
                },
            ),
            migrations.CreateModel(
                name='Mark',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('revision', models.PositiveIntegerField(default=1)),
                    ('kind', models.CharField(choices=[('steady', 'steady from'), ('never', 'never steady'), ('unclear', 'unclear'), ('changes', 'changes of level')], max_length=7)),
                    ('index', models.PositiveIntegerField(blank=True, null=True)),
                    ('unsure', models.BooleanField(default=False)),
                    ('difficulty', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('note', models.TextField(blank=True, max_length=500)),
                    ('seconds', models.FloatField(blank=True, null=True)),
                    ('series_digest', models.CharField(max_length=64)),
                    ('client_id', models.UUIDField(unique=True)),
                    ('guide_version', models.PositiveIntegerField(default=1)),
                    ('view', models.JSONField(blank=True, default=dict)),
                    ('when', models.DateTimeField(auto_now_add=True)),
                    ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='marks', to=settings.AUTH_USER_MODEL)),
                    ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='marks', to='annotate.task')),
                ],
                options={
                    'ordering': ['task_id', 'annotator_id', 'revision'],
                    'constraints': [models.UniqueConstraint(fields=('task', 'annotator', 'revision'), name='mark_revisions_differ'), models.CheckConstraint(condition=models.Q(('kind', 'steady'), ('index__isnull', True), _connector='OR'), name='mark_index_only_if_steady', violation_error_message='An iteration belongs to “steady from”, and only there.'), models.CheckConstraint(condition=models.Q(('difficulty__isnull', True), ('difficulty__range', (1, 5)), _connector='OR'), name='mark_difficulty_1_to_5', violation_error_message='Difficulty is a number from 1 (easy) to 5 (hard).')],
                },
            ),
            migrations.CreateModel(
                name='Assignment',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('order', models.PositiveIntegerField()),
                    ('skipped_at', models.DateTimeField(blank=True, null=True)),
                    ('question', models.CharField(blank=True, default='', max_length=500)),
                    ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL)),
                    ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotate.task')),
                    ('latest', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='annotate.mark')),
                ],
                options={
                    'ordering': ['user_id', 'order'],
                    'indexes': [models.Index(fields=['user', 'latest'], name='assignment_open')],
                    'constraints': [models.UniqueConstraint(fields=('task', 'user'), name='assignment_once')],
                },
            ),
            migrations.CreateModel(
                name='Problem',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('text', models.TextField(max_length=500)),
                    ('when', models.DateTimeField(auto_now_add=True)),
                    ('closed_at', models.DateTimeField(blank=True, null=True)),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('closed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='problems', to='annotate.task')),
                ],
                options={
                    'ordering': ['-when'],
                },
            ),
            migrations.CreateModel(
                name='Expected',
                fields=[
                    ('task', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='expected', serialize=False, to='annotate.task')),
                    ('never', models.BooleanField(default=False)),
                    ('low', models.PositiveIntegerField(blank=True, null=True)),
                    ('high', models.PositiveIntegerField(blank=True, null=True)),
                    ('sentence', models.CharField(max_length=300)),
                    ('attempt', models.PositiveIntegerField(default=1)),
                ],
                options={
                    'verbose_name_plural': 'expected',
                    'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('high__isnull', True), ('low__isnull', True), ('never', True)), models.Q(('high__isnull', False), ('low__isnull', False), ('never', False)), _connector='OR'), name='expected_band_unless_never')],
                },
            ),
            migrations.CreateModel(
                name='GroundTruth',
                fields=[
                    ('task', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='ground_truth', serialize=False, to='annotate.task')),
                    ('recipe_key', models.CharField(max_length=200)),
                    ('marks_digest', models.CharField(max_length=64)),
                    ('steady', models.BooleanField(null=True)),
                    ('steady_start', models.PositiveIntegerField(blank=True, null=True)),
                    ('agreement', models.CharField(max_length=20)),
                    ('spread', models.PositiveIntegerField(blank=True, null=True)),
                    ('cluster', models.JSONField(blank=True, default=list)),
                    ('answered', models.PositiveIntegerField(default=0)),
                    ('complete', models.BooleanField(default=False)),
                ],
                options={
                    'verbose_name_plural': 'ground truth',
                },
            ),
            migrations.CreateModel(
                name='CampaignInvitation',
                fields=[
                    ('invitation', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='for_campaign', serialize=False, to='people.invitation')),
                    ('cap', models.PositiveIntegerField(blank=True, null=True)),
                    ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='annotate.campaign')),
                ],
                options={
                    'ordering': ['invitation__created', 'pk'],
                },
            ),
        ]),
    ]
