"""Contents of a folder of a published study, and the comparisons for which they suffice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from evidence.replication import published_figures
from evidence.replication.published_files import KB_KSSD_BY_FORK, STOPS
from evidence.replication.published_study import PublishedStudy
from evidence.replication.published_totals import SERIES

OLD: Final = "SEALABQualityGroup/steady-state"
NEW: Final = "MartinBeseda/steady-state"


Has = Callable[[PublishedStudy], bool]


def _presence(attribute: str, key: str | None = None) -> Has:
    """Build the test that a benchmark has this attribute, or that key in it."""

    def is_present(study: PublishedStudy) -> bool:
        values = (getattr(benchmark, attribute) for benchmark in study.benchmarks)
        return any(bool(value) if key is None else key in value for value in values)

    return is_present


PARTS: Final[Mapping[str, tuple[Has, str]]] = {
    "series": (
        lambda study: bool(study.measured),
        f"series ({NEW}: analysis-v2/man_steady_comparison/data_st, {OLD}: data/timeseries/all)",
    ),
    "marks": (lambda study: any(study.marks), f"marks ({NEW}: analysis-v2)"),
    "labels": (
        lambda study: any(each.label is not None for each in study.rows),
        f"yes/no labels ({NEW}: analysis-v2)",
    ),
    "answers": (_presence("steady"), f"answers of CP-SSD ({OLD}: data/classification)"),
    "stops": (_presence("stops"), f"stops of techniques ({OLD}: data/devconfig, data/dynconfig)"),
    "changes": (_presence("changes"), f"change points of CP-SSD ({OLD}: data/changepoints)"),
    "kb_kssd": (_presence("answers", "kb_kssd"), f"answers of KB-KSSD ({NEW}: {KB_KSSD_BY_FORK})"),
    "settings": (_presence("settings"), f"settings of developers ({OLD}: data/subjects.csv)"),
    **{
        technique: (_presence("stops", technique), f"stops of {technique} ({OLD}: data/{inner})")
        for technique, inner in STOPS.items()
    },
    "models": (
        lambda study: (study.folder / "models" / "index.json").is_file(),
        "weights as arrays (models/rocket_fold0.npz …; neither package has them)",
    ),
}
NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(published_figures.COMPARISON, ("series", "marks", "labels", "answers")),
    "mcnemar": ("series", "labels", "answers"),
    "segments": ("answers", "stops"),
    "figure-4": ("answers", "stops"),
    "table-5": ("series", "answers", "stops"),
    "pairs": ("series", "answers", "stops"),
    **dict.fromkeys(("table-2", "stops"), ("series", "answers", "stops", "models")),
}
COMPUTED_FROM: Final = frozenset({"series", "models"})
"""Without these a figure is not computed; without the others it would be another figure."""


class Availability(NamedTuple):
    """Applicability of published values, which are of all series; if not, or to a part, what
    lacks.
    """

    complete: bool
    lacking: str


def missing_part_words(study: PublishedStudy, parts: tuple[str, ...]) -> str:
    """Words for the parts that the folder does not hold; empty if it holds all."""
    missing_parts = [
        words
        for is_given, words in (PARTS[part_name] for part_name in parts)
        if not is_given(study)
    ]
    return f"no {', no '.join(missing_parts)}" if missing_parts else ""


def group_availability(study: PublishedStudy, slug: str) -> Availability:
    """Availability of one group of published figures."""
    needed_parts = NEEDS[slug]
    benchmarks = study.rows if slug in published_figures.COMPARISON else study.stopped
    series_count = (
        sum(benchmark.read is not None for benchmark in benchmarks)
        if "series" in needed_parts
        else 0
    )
    missing_parts = missing_part_words(study, needed_parts)
    has_known_parts = not missing_part_words(
        study, tuple(part_name for part_name in needed_parts if part_name not in COMPUTED_FROM)
    )
    is_complete = has_known_parts and len(benchmarks) == SERIES and series_count in {0, SERIES}
    part_name = f"the folder holds {len(benchmarks)} of {SERIES} benchmarks"
    if "series" in needed_parts:
        part_name += f", {series_count} with series"
    return Availability(is_complete, missing_parts or part_name)
