"""Names of methods as people type and read them: `georges`, `georges?k=20`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from analysis.methods.method_style import MethodStyle
from people.templatetags.writing import version

ALL: Final = "all"
PEOPLE: Final = "people"
"""No method: the rows of people alone."""
NAMES_OF_METHODS: Final = (
    "a slug (its default parameters, or all that were run), a slug with other parameters "
    f"(georges?k=20), or a whole key; {PEOPLE}: none; default: {ALL} stored"
)
"""Help of the options that take a method."""


def short_name(look: MethodStyle) -> str:
    """The slug and only what differs from the defaults: `georges?k=20`, `georges@1?k=20`.

    The version is there where it is another one, or where nobody knows the defaults.
    """
    if look.name == look.slug:
        return look.slug
    version_words = version(look.version)
    version_suffix = f"@{look.version}" if look.slot is None or version_words in look.params else ""
    pairs = [
        parameter.replace(" = ", "=", 1) for parameter in look.params if parameter != version_words
    ]
    return f"{look.slug}{version_suffix}{'?' if pairs else ''}{'&'.join(pairs)}"


def matching_methods(name: str, looks: Sequence[MethodStyle]) -> list[MethodStyle]:
    """The methods of `looks` that a name, a whole key, a short name or a slug means.

    A slug is the name of the default parameters. Where those are not among `looks`, it means
    all parameters that are. The words ALL and PEOPLE mean every method and none.
    """
    if name in {ALL, PEOPLE}:
        return [*looks] if name == ALL else []
    exact_matches = [look for look in looks if name in {look.name, look.key, short_name(look)}]
    return exact_matches or [look for look in looks if look.slug == name]


def named_methods(looks: Iterable[MethodStyle]) -> str:
    """Short names in one line; `none` without any."""
    return ", ".join(map(short_name, looks)) or "none"
