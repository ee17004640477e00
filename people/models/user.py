"""A person, and how they like their pages."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q

from people.mail_address import address_key


class User(AbstractUser):
    """A person who signs in, or (no usable password) one whom an imported file names."""

    class Theme(models.TextChoices):
        SYSTEM = "auto", "as the system"
        LIGHT = "light", "light"
        DARK = "dark", "dark"

    class Density(models.TextChoices):
        COMFORTABLE = "comfortable", "comfortable"
        COMPACT = "compact", "compact"

    theme = models.CharField(max_length=5, choices=Theme, default=Theme.SYSTEM)
    density = models.CharField(max_length=11, choices=Density, default=Density.COMFORTABLE)
    zone = models.CharField("time zone", max_length=60, default="UTC")
    single_keys = models.BooleanField("single-key shortcuts", default=True)
    simulated = models.BooleanField(default=False, editable=False)  # a model, and no person
    last_seen = models.DateTimeField(null=True, blank=True)
    # The mail address that its owner has proven, in the form of `address_key`.
    proven_email = models.CharField(max_length=254, blank=True, editable=False)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["proven_email"],
                condition=~Q(proven_email=""),
                name="a_proven_address_is_of_one_account",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name on pages: the full one if given, else the user name."""
        return self.get_full_name() or self.username

    @property
    def has_proven_email(self) -> bool:
        """True if the mail address that the account has now was shown to be its owner's."""
        return self.proven_email != "" and self.proven_email == address_key(self.email)

    @property
    def initials(self) -> str:
        """One or two capitals for the corner of the page."""
        parts = self.name.replace(".", " ").replace("-", " ").split()
        return "".join(word[0] for word in parts[:2]).upper()
