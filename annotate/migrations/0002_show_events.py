"""Column for campaigns that show events to their annotators: databases of before go on."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('annotate', '0001_tables')]

    operations = [
        migrations.AddField(
            model_name='campaign',
            name='show_events',
            field=models.BooleanField(default=False),
        ),
    ]
