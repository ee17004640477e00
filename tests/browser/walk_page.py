"""One page of the walk."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse


@dataclass(frozen=True, slots=True)
class WalkPage:
    """One page of the walk: its name in file names, its address, and who looks at it."""

    name: str
    address: str
    who: str = "owner"  # one of `installation.PEOPLE`


def at(name: str, *arguments: object) -> str:
    return reverse(name, args=[str(argument) for argument in arguments])
