"""A method of a study's own: answers that came in a file, under a name and a version."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from analysis.methods.symbols import classes
from formats.answers import CONVENTIONS
from people.models import Study, User
from people.public_id import new_public_id

KEY_LENGTH: Final = 2000  # characters of a detector key; an index of PostgreSQL takes 2,700 bytes
OWN: Final = "own:"  # before the slug: no class can be called so, and no run can compute it


class ImportedMethodQuerySet(models.QuerySet["ImportedMethod"]):
    def visible_to(self, user: User | AnonymousUser) -> ImportedMethodQuerySet:
        """Methods of the studies of which `user` is a member."""
        return self.filter(study__in=Study.objects.visible_to(user))

    def stored(self) -> ImportedMethodQuerySet:
        return self.filter(state=ImportedMethod.State.STORED)

    def waiting(self) -> ImportedMethodQuerySet:
        return self.filter(state=ImportedMethod.State.WAITING)


class ImportedMethod(models.Model):
    """Brought once and never changed: other answers are another version.

    Its answers are ordinary detections of `detector_key`. While it waits there are none, and
    `content` holds the file; once it is stored `content` is empty.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        STORED = "stored", "stored"

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, related_name="own_methods")
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    title = models.CharField(max_length=60)
    slug = models.CharField(max_length=64)  # OWN and the title as an address writes it
    version = models.CharField(max_length=40, default="1")
    code = models.CharField(max_length=4)  # label on charts
    slot = models.PositiveIntegerField(null=True, blank=True)  # number of its look on charts
    detector_key = models.CharField(max_length=KEY_LENGTH, blank=True)
    convention = models.CharField(
        max_length=12, choices=list(CONVENTIONS.items()), default="steady-start"
    )
    file_name = models.CharField(max_length=300)
    file_digest = models.CharField(max_length=64)  # SHA-256
    size = models.PositiveIntegerField()
    content = models.BinaryField(blank=True, default=b"")
    answers = models.PositiveIntegerField(default=0)  # detections that were stored
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    when = models.DateTimeField(default=timezone.now)  # of the upload, then of storing

    objects = ImportedMethodQuerySet.as_manager()

    class Meta:
        app_label = "analysis"
        ordering = ["slug", "when", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "slug", "version"],
                condition=Q(state="stored"),
                name="own_version_brought_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.title}, version {self.version}"

    def get_absolute_url(self) -> str:
        return reverse("imported-method", kwargs={"study": self.study.slug, "own": self.public_id})

    @property
    def is_waiting(self) -> bool:
        return self.state == self.State.WAITING

    @property
    def symbol(self) -> str:
        """Classes of its symbol."""
        return classes(self.slot or 0)

    @property
    def source(self) -> str:
        """Origin of the method's answers, as the end of a sentence."""
        importer_words = f" by {self.by}" if self.by else ""
        date_text = timezone.localtime(self.when).date().isoformat()
        return (
            f"from {self.file_name} (SHA-256 {self.file_digest[:12]}), imported "
            f"{date_text}{importer_words}"
        )


class MethodSet(models.Model):
    """Methods that a team compares again and again, under a name."""

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, related_name="method_sets")
    name = models.CharField(max_length=60)
    methods = models.JSONField(default=list)  # names, as `MethodStyle.name` has them
    first = models.BooleanField(default=False)  # Compare and pages of series begin with this set
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    when = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "analysis"
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="method_set_names_differ"),
            models.UniqueConstraint(
                fields=["study"], condition=Q(first=True), name="one_first_method_set"
            ),
        ]

    def __str__(self) -> str:
        return self.name
