"""Every table of the room at once."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
import people.public_id
from django.conf import settings
from django.db import migrations, models

from people.create_tables import CreateTables


REFUSED = "lines of the audit log are never changed"
SQLITE = [
    "CREATE TRIGGER audit_event_unchanged BEFORE UPDATE ON people_auditevent "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END",
]
POSTGRESQL = [
    "CREATE FUNCTION audit_event_unchanged() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    "CREATE TRIGGER audit_event_unchanged BEFORE UPDATE ON people_auditevent "
    "FOR EACH ROW EXECUTE FUNCTION audit_event_unchanged()",
]


def refuse_changes(apps, schema_editor):
    """Add the trigger; on SQLite a migration that remakes the table has to add it again."""
    for statement in SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL:
        schema_editor.execute(statement)


def allow_changes(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TRIGGER audit_event_unchanged")
    else:
        schema_editor.execute("DROP FUNCTION audit_event_unchanged CASCADE")


class Migration(migrations.Migration):

    replaces = [('people', '0010_proven_mail_address')]  # a database that has taken it has these tables

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        CreateTables([
            migrations.CreateModel(
                name='User',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('password', models.CharField(max_length=128, verbose_name='password')),
                    ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                    ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                    ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                    ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                    ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                    ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                    ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                    ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                    ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                    ('theme', models.CharField(choices=[('auto', 'as the system'), ('light', 'light'), ('dark', 'dark')], default='auto', max_length=5)),
                    ('density', models.CharField(choices=[('comfortable', 'comfortable'), ('compact', 'compact')], default='comfortable', max_length=11)),
                    ('zone', models.CharField(default='UTC', max_length=60, verbose_name='time zone')),
                    ('single_keys', models.BooleanField(default=True, verbose_name='single-key shortcuts')),
                    ('last_seen', models.DateTimeField(blank=True, null=True)),
                    ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                    ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                    ('simulated', models.BooleanField(default=False, editable=False)),
                    ('proven_email', models.CharField(blank=True, editable=False, max_length=254)),
                ],
                options={
                    'verbose_name': 'user',
                    'verbose_name_plural': 'users',
                    'abstract': False,
                    'constraints': [models.UniqueConstraint(condition=models.Q(('proven_email', ''), _negated=True), fields=('proven_email',), name='a_proven_address_is_of_one_account')],
                },
                managers=[
                    ('objects', django.contrib.auth.models.UserManager()),
                ],
            ),
            migrations.CreateModel(
                name='Membership',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('role', models.CharField(choices=[('owner', 'owner'), ('annotator', 'annotator'), ('viewer', 'viewer')], max_length=9)),
                    ('since', models.DateTimeField(default=django.utils.timezone.now)),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                    ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='people.study')),
                ],
                options={
                    'ordering': ['study_id', 'user_id'],
                    'constraints': [models.UniqueConstraint(fields=('study', 'user'), name='membership_once_per_study')],
                },
            ),
            migrations.CreateModel(
                name='Study',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=120)),
                    ('slug', models.SlugField(max_length=60, unique=True)),
                    ('about', models.TextField(blank=True)),
                    ('created', models.DateTimeField(auto_now_add=True)),
                    ('members', models.ManyToManyField(related_name='studies', through='people.Membership', to=settings.AUTH_USER_MODEL)),
                    ('removed', models.DateTimeField(blank=True, null=True)),
                    ('removed_from', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='holders', to='people.study')),
                ],
                options={
                    'ordering': ['name'],
                },
            ),
            migrations.CreateModel(
                name='Invitation',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('public_id', models.CharField(default=people.public_id.new_public_id, max_length=12, unique=True)),
                    ('role', models.CharField(choices=[('owner', 'owner'), ('annotator', 'annotator'), ('viewer', 'viewer')], max_length=9)),
                    ('note', models.CharField(blank=True, max_length=200)),
                    ('token_digest', models.CharField(max_length=64, unique=True)),
                    ('created', models.DateTimeField(auto_now_add=True)),
                    ('expires', models.DateTimeField()),
                    ('used_at', models.DateTimeField(blank=True, null=True)),
                    ('revoked_at', models.DateTimeField(blank=True, null=True)),
                    ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations_sent', to=settings.AUTH_USER_MODEL)),
                    ('used_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='people.study')),
                    ('mail', models.EmailField(blank=True, max_length=254)),
                    ('name', models.CharField(blank=True, max_length=120)),
                    ('opened_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'ordering': ['-created'],
                },
            ),
            migrations.CreateModel(
                name='OutgoingNotice',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('public_id', models.CharField(default=people.public_id.new_public_id, max_length=12, unique=True)),
                    ('event', models.CharField(max_length=40)),
                    ('channel', models.CharField(choices=[('mail', 'mail'), ('webhook', 'webhook')], max_length=7)),
                    ('to', models.EmailField(blank=True, max_length=254)),
                    ('subject', models.CharField(max_length=300)),
                    ('text', models.TextField()),
                    ('path', models.CharField(blank=True, max_length=300)),
                    ('site', models.CharField(blank=True, max_length=300)),
                    ('once', models.CharField(blank=True, max_length=120, null=True, unique=True)),
                    ('created', models.DateTimeField(auto_now_add=True)),
                    ('state', models.CharField(choices=[('waiting', 'waiting'), ('sent', 'sent'), ('failed', 'given up'), ('dropped', 'not sent: no longer true')], default='waiting', max_length=7)),
                    ('attempts', models.PositiveIntegerField(default=0)),
                    ('due', models.DateTimeField()),
                    ('error', models.CharField(blank=True, max_length=300)),
                    ('ended', models.DateTimeField(blank=True, null=True)),
                    ('invitation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to='people.invitation')),
                    ('study', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='outgoing_notices', to='people.study')),
                    ('password_of', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'ordering': ['-created', '-pk'],
                    'indexes': [models.Index(fields=['state', 'due'], name='outgoing_notice_due')],
                },
            ),
            migrations.CreateModel(
                name='ApiToken',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('public_id', models.CharField(default=people.public_id.new_public_id, max_length=12, unique=True)),
                    ('name', models.CharField(max_length=80)),
                    ('scopes', models.CharField(max_length=40)),
                    ('digest', models.CharField(max_length=64, unique=True)),
                    ('made', models.DateTimeField(auto_now_add=True)),
                    ('expires', models.DateTimeField(blank=True, null=True)),
                    ('revoked', models.DateTimeField(blank=True, null=True)),
                    ('last_used', models.DateTimeField(blank=True, null=True)),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
                    ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to='people.study')),
                ],
                options={
                    'ordering': ['-made'],
                },
            ),
            migrations.CreateModel(
                name='AuditEvent',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('when', models.DateTimeField(auto_now_add=True, db_index=True)),
                    ('action', models.CharField(max_length=20)),
                    ('person_name', models.CharField(blank=True, max_length=150)),
                    ('address', models.CharField(blank=True, max_length=45)),
                    ('request_id', models.CharField(blank=True, max_length=64)),
                    ('study_name', models.CharField(blank=True, max_length=120)),
                    ('what', models.CharField(blank=True, max_length=300)),
                    ('person', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('study', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='audit_events', to='people.study')),
                ],
                options={
                    'ordering': ['-when', '-pk'],
                },
            ),
        ]),
        migrations.RunPython(refuse_changes, allow_changes),
    ]
