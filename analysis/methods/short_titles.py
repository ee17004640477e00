"""Short titles of methods, where many stand side by side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from detectors.registry import registry

BRACKETS: Final = re.compile(r" ?\([^()]*\)")

SHORT_TITLES: Final = MappingProxyType(
    {
        "laaber-kld": "Laaber, KL",
        "laaber-cov": "Laaber, CV",
        "laaber-rciw": "Laaber, CI width",
        "t-test": "t-test",
        "f-test": "F-test",
        "r-test": "R-test",
    }
)
"""Titles by slug that say enough beside others; the method's page has the whole one."""


@cache
def short_titles() -> Mapping[str, str]:
    """Title of each method by slug, without brackets and without an explanation behind a comma.

    What tells two methods apart stays: `Plateau, online` beside `Plateau`.
    """
    plain_titles = {slug: BRACKETS.sub("", method.title) for slug, method in registry().items()}
    heads = Counter(title.partition(",")[0] for title in plain_titles.values())
    shortened_titles = {
        slug: head if heads[head := title.partition(",")[0]] == 1 else title
        for slug, title in plain_titles.items()
    }
    known_titles = {slug: title for slug, title in SHORT_TITLES.items() if slug in shortened_titles}
    return MappingProxyType(shortened_titles | known_titles)
