from __future__ import annotations

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    """A method from a file is called an imported method, as its page is."""

    dependencies: ClassVar = [("analysis", "0015_remove_lists_of_series")]

    operations: ClassVar = [migrations.RenameModel("OwnMethod", "ImportedMethod")]
