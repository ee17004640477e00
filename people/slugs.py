"""Short names in addresses, made of the names that people give."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeVar

from django.db import IntegrityError, transaction
from django.utils.text import slugify

T = TypeVar("T")
TRIES: Final = 20  # of people who make the same at once, each try leaves one behind
LONGEST_SLUG: Final = 60  # characters of its column
LONGEST = 50  # leaves room for a number within them


def free_slug(name: str, *, used_slugs: Collection[str], fallback: str) -> str:
    """A slug of `name` that is not taken: numbered from 2 on if it must be.

    `fallback` is its stem where nothing of the name can stand in an address.
    """
    stem = slugify(name)[:LONGEST] or fallback
    if stem not in used_slugs:
        return stem
    numbered_slugs = (f"{stem}-{number}" for number in range(2, len(used_slugs) + 3))
    return next(slug for slug in numbered_slugs if slug not in used_slugs)


def create_with_slug(
    name: str,
    *,
    read_slugs: Callable[[], Collection[str]],
    fallback: str,
    create: Callable[[str], T],
    preferred_slug: str = "",
) -> T:
    """Create a row under a slug of `name` that is free, also where others do so at this moment.

    read_slugs      reads the slugs that are there
    create          stores the row under the slug that it is given
    preferred_slug  is used while nobody has it
    """
    for _ in range(TRIES):
        used_slugs = read_slugs()
        chosen_slug = preferred_slug if preferred_slug and preferred_slug not in used_slugs else ""
        slug = chosen_slug or free_slug(name, used_slugs=used_slugs, fallback=fallback)
        try:
            with transaction.atomic():
                return create(slug)
        except IntegrityError:
            if slug not in read_slugs():  # something else stands in the way
                raise
    raise IntegrityError(f"{name}: no slug is free after {TRIES} tries")
