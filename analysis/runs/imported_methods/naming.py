"""Code and style of an imported method on charts: none that is taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, count, product
from string import ascii_uppercase

from django.utils.text import slugify

from analysis.methods.models import ImportedMethod
from detectors.registry import method_slots, registry
from people.models import Study

# What charts print beside a line for things that are no method.
RESERVED = frozenset({"NA", "GT"})


def code_for(study: Study, slug: str, title: str, *, wanted_code: str = "") -> str:
    """Two to four capitals that no other method of the study has: `wanted_code` where it is free.

    Another version of a method that is there keeps its code.
    """
    if stored_version := _stored_version(study, slug):
        return stored_version.code
    own_codes = study.own_methods.stored().values_list("code", flat=True)
    used_codes = {*(method.code for method in registry().values()), *own_codes, *RESERVED}
    wanted_codes = [wanted_code.upper()] if re.fullmatch(r"[A-Za-z]{2,4}", wanted_code) else []
    codes = chain(wanted_codes, _codes(title))
    return next(code for code in codes if code not in used_codes)


def slot_for(study: Study, slug: str) -> int:
    """The place in the palette: that of its other versions, else the next free one."""
    stored_version = _stored_version(study, slug)
    if stored_version is not None and stored_version.slot is not None:
        return stored_version.slot
    own_slots = study.own_methods.stored().values_list("slot", flat=True)
    used_slots = {*method_slots().values(), *own_slots}
    return next(slot for slot in count() if slot not in used_slots)


def _stored_version(study: Study, slug: str) -> ImportedMethod | None:
    return study.own_methods.stored().filter(slug=slug).first()


def _codes(title: str) -> Iterator[str]:
    """Initials, first letters, then anything with the same first letter."""
    words = re.findall(r"[a-z]+", slugify(title)) or ["own"]
    initials = "".join(word[0] for word in words).upper()
    letters = "".join(words).upper()
    for code in (initials[:4], letters[:3], letters[:2], letters[:4]):
        if len(code) >= 2:  # a code has two to four capitals
            yield code
    first_letter = letters[0]
    for length in (1, 2, 3):
        yield from (
            first_letter + "".join(letter_group)
            for letter_group in product(ascii_uppercase, repeat=length)
        )
