"""Archives as a fold of *People and settings*."""

from __future__ import annotations

from typing import Final

from analysis.archive.models import ArchiveJob
from people.models import Study
from people.settings_folds import SettingsFold


def archive_finding(study: Study) -> str:
    """Finding of the closed fold; empty before the first archive."""
    count = ArchiveJob.objects.filter(study=study).with_file().count()
    return f"{count} made" if count else ""


FOLD: Final = SettingsFold("archives", "Archives", "archives", "Make an archive", archive_finding)
