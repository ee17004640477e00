"""A preset: parameters of a method under a name."""

from __future__ import annotations

from django.db import models

from analysis.methods.models import KEY_LENGTH
from people.models import Study, User
from people.public_id import new_public_id


class Preset(models.Model):
    """Parameters of a method under a name, with where they came from."""

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, related_name="presets")
    name = models.CharField(max_length=80)
    detector_key = models.CharField(max_length=KEY_LENGTH)  # canonical, defaults written out
    exploration = models.ForeignKey(
        "analysis.Exploration", models.SET_NULL, null=True, blank=True, related_name="presets"
    )
    provenance = models.JSONField(default=dict)  # exploration, series and figures of that time
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    when = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "analysis"
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="preset_names_differ")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def slug(self) -> str:
        """The method's slug."""
        return self.detector_key.partition("@")[0]
