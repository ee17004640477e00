"""Answers to rates go that were given before methods read them as durations.

A key did not tell how a method had read a throughput series, so that old answers and new ones
would stand side by side under one name. A run computes them again.
"""

from django.db import migrations
from django.db.models import Q

RATES = Q(series__benchmark__mode="thrpt") | Q(
    series__benchmark__unit__iregex=(
        r"(^op|/ *(ns|us|ms|s|sec|second|min|h|hr|day)$|per.second|score|[pcbrqto]ps$)"
    )
)
METHODS = (
    *("barrett", "cp-ssd", "developer", "ensemble", "exact-bayes", "f-test", "fcn", "fixed-time"),
    *("georges", "jmh-default", "kb-kssd", "kelly", "laaber-cov", "laaber-kld", "laaber-rciw"),
    *("oscnn", "plateau", "plateau-online", "r-test", "rocket", "ruptures-binseg"),
    *("ruptures-bottomup", "ruptures-kernel", "ruptures-pelt", "ruptures-window", "sdm", "t-test"),
)


def forget(apps, schema_editor):
    found = apps.get_model("analysis", "Detection").objects.filter(RATES)
    for slug in METHODS:
        found.filter(detector_key__startswith=f"{slug}@").delete()


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0019_members_of_removed_studies"),
        ("series", "0001_initial"),
    ]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
    ]
