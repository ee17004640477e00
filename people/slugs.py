"""Short names in addresses, made of the names that people give."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.text import slugify

LONGEST = 50  # leaves room for a number within the 60 characters of a slug


def free_slug(name: str, *, taken: Collection[str], otherwise: str) -> str:
    """A slug of `name` that is not taken: numbered from 2 on if it must be.

    `otherwise` is its stem where nothing of the name can stand in an address.
    """
    stem = slugify(name)[:LONGEST] or otherwise
    if stem not in taken:
        return stem
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return next(slug for slug in numbered if slug not in taken)
