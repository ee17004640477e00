"""The order of an import: what a person confirmed, handed to the importing process."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.dateparse import parse_datetime

from people.models import User
from series.importing.import_plan import RecordingDetails
from series.importing.services import OnProblems
from series.models import Dataset


@dataclass(frozen=True, slots=True)
class ImportOrder:
    """Where the series of the files go, and how."""

    dataset: Dataset
    occasion: RecordingDetails
    on_problems: OnProblems
    by: User

    def as_text(self) -> str:
        """What `of_text` reads; its data set and person are stored."""
        said = {"dataset": self.dataset.pk, "by": self.by.pk, "on_problems": self.on_problems}
        return json.dumps({**said, "occasion": asdict(self.occasion)}, cls=DjangoJSONEncoder)

    @classmethod
    def of_text(cls, text: str) -> ImportOrder:
        said = json.loads(text)
        occasion = said["occasion"]
        occasion["measured_at"] = parse_datetime(occasion["measured_at"] or "")
        return cls(
            Dataset.objects.get(pk=said["dataset"]),
            RecordingDetails(**occasion),
            said["on_problems"],
            User.objects.get(pk=said["by"]),
        )
