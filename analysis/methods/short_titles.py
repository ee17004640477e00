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


@cache
def short_titles() -> Mapping[str, str]:
    """Title of each method by slug, without brackets and without an explanation behind a comma.

    What tells two methods apart stays: `Plateau, online` beside `Plateau`.
    """
    plain = {slug: BRACKETS.sub("", method.title) for slug, method in registry().items()}
    heads = Counter(title.partition(",")[0] for title in plain.values())
    return MappingProxyType(
        {
            slug: head if heads[head := title.partition(",")[0]] == 1 else title
            for slug, title in plain.items()
        }
    )
