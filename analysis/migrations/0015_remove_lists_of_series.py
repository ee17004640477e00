"""The lists that 0014 has made rows of; apart, as PostgreSQL changes no table with rows to check."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0014_series_of_chunks"),
    ]

    operations = [
        migrations.RemoveField(model_name="chunk", name="series_ids"),
    ]
