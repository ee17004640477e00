"""The order of an import: what a person confirmed, handed to the importing process."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.dateparse import parse_datetime

from series.importing.import_plan import RecordingDetails
from series.importing.services import OnProblems
from series.models import Dataset


@dataclass(frozen=True, slots=True)
class ImportOrder:
    """Order of an import: where the series of the files go, and how."""

    dataset: Dataset
    occasion: RecordingDetails
    on_problems: OnProblems

    def as_text(self) -> str:
        """Write what `of_text` reads; its data set is stored."""
        fields = {"dataset": self.dataset.pk, "on_problems": self.on_problems}
        return json.dumps({**fields, "occasion": asdict(self.occasion)}, cls=DjangoJSONEncoder)

    @classmethod
    def of_text(cls, text: str) -> ImportOrder:
        fields = json.loads(text)
        occasion = fields["occasion"]
        occasion["measured_at"] = parse_datetime(occasion["measured_at"] or "")
        return cls(
            Dataset.objects.get(pk=fields["dataset"]),
            RecordingDetails(**occasion),
            fields["on_problems"],
        )
