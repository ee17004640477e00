"""The ranking that a person saw last in Compare: kept, so that other pages need not compute it."""

from __future__ import annotations

from typing import Final

from django.core.cache import cache

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult
from analysis.references.yardsticks import yardstick
from analysis.runs.preselections import StudyRanking
from people.models import Study, User

KEPT: Final = 7 * 24 * 3600  # seconds


def keep_ranking(comparison: ComparisonResult, reader: User) -> None:
    """Keep the ranking of all methods on all series, as `reader` sees it; of no other choice."""
    query = comparison.asked.changed(yardstick="", columns="usual", unit="iterations").alone
    if query != ComparisonQuery():
        return
    ranks_and_names = sorted((row.rank, row.name) for row in comparison.entries if row.rank)
    cache_key = _cache_key(reader, comparison.yardstick.study, comparison.yardstick.code)
    cache.set(cache_key, [name for _, name in ranks_and_names], KEPT)


def kept_ranking(reader: User, study: Study, code: str) -> tuple[str, ...]:
    """Names of methods, the best first; none where this person has not looked for a week."""
    return tuple(cache.get(_cache_key(reader, study, code)) or ())


def study_ranking(reader: User, study: Study) -> StudyRanking | None:
    """Ranking by the study's first yardstick that `reader` saw last; None without one."""
    first_yardstick = yardstick(study)
    names = kept_ranking(reader, study, first_yardstick.code) if first_yardstick else ()
    return StudyRanking(first_yardstick.title, names) if first_yardstick and names else None


def _cache_key(reader: User, study: Study, code: str) -> str:
    """Cache key of one person's ranking: it depends on the series that they may see."""
    return f"ranking:{reader.pk}:{study.pk}:{code}".replace(" ", "_")
