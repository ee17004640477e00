"""What went wrong in an exploration, for readers who may know."""

from __future__ import annotations

from analysis.tuning.models import Exploration

SHOWN = 5  # texts


def errors_of(exploration: Exploration, *, told: bool) -> tuple[tuple[str, int], ...]:
    """Texts of failures with how many parts have each, the most frequent first.

    A part may have one text for each series. told: whether the reader may see the texts, which
    may speak of a series.
    """
    counts: dict[str, int] = {}
    parts = exploration.units.light().exclude(error="")
    for text in parts.values_list("error", flat=True):
        for line in dict.fromkeys(text.splitlines()):
            words = line if told else "hidden until you answer its series"
            counts[words] = counts.get(words, 0) + 1
    return tuple(sorted(counts.items(), key=lambda item: -item[1])[:SHOWN])
