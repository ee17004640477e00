"""Room for sketches of values without their order; `copies.sketch_values` fills it later.

Made here, they would hold up the start of an installation of 100,000 series for minutes.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("series", "0010_counted_by_recording"),
    ]

    operations = [
        migrations.AddField(
            model_name="seriessketch",
            name="value_hashes",
            field=models.BinaryField(null=True),
        ),
    ]
