"""Sign-in by a provider and the second factor, with django-allauth: loaded where they are on."""

from __future__ import annotations
