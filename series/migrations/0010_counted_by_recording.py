
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('series', '0009_values_outside'),
    ]

    operations = [
        migrations.AlterField(
            model_name='series',
            name='recording',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='series', to='series.recording'),
        ),
        migrations.AddIndex(
            model_name='series',
            index=models.Index(fields=['recording', 'benchmark', 'id', 'n'], name='series_of_recording'),
        ),
        migrations.AddIndex(
            model_name='series',
            index=models.Index(condition=models.Q(('known_start__isnull', False)), fields=['known_start'], name='series_known'),
        ),
    ]
