"""Share of plain stories that answer and are right.

    python -m evidence.replication.story_sureness [FOLDER]

With `--known-answers FOLDER`, the series of `make corpus`, each by the model that has not seen its
workload; and drawn plain series that trained nothing. The mean of both gives the constants that
`plateau` ships. Then whether the chance of never that `plateau-online` gives at the end of a series
comes true, on the series that people labelled, each by the model that has not seen its system.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from analysis.statistics.answers import Floats
from detectors.contract import NEVER
from detectors.methods.plateau import WITHIN, Plateau
from detectors.panel.panel_models import SHIPPED, PanelModels, models_named, summary_row
from detectors.panel.prefix_estimates import prefix_rows
from detectors.panel.series_features import SeriesFeatures, grid_rows
from detectors.training.labels import known_answers
from detectors.training.labels.panel_answers import KnownSeries, ShownSeries
from detectors.training.labels.published import panel_of_folder
from evidence.corpus.plain_shares import plain_suite
from evidence.replication.published_files import option, study_command
from evidence.replication.published_study import PublishedStudy
from evidence.replication.sureness import counts_of, leave_out_factors, print_never
from formats.markdown import head, row

LENGTHS: Final = (300, 500, 1000, 3000, 10_000)


@dataclass(frozen=True, slots=True)
class ToldStory:
    """A story that answered. steady: whether steady or never is right; near: and the iteration."""

    decays: bool
    steady: bool
    near: bool


def told_story(
    models: PanelModels, series: KnownSeries | None, features: SeriesFeatures, low: int, high: int
) -> ToldStory | None:
    """The story of a series whose right answers lie from `low` to `high`; None where people's does.

    series: of the corpus, which is judged by the model that has not seen its workload.
    """
    model = models.whole if series is None else models.judge(series.values, series.group).model
    method = Plateau()
    if not method.params.is_told(features, model, method.params.chance):
        return None
    start = features.story.start
    is_right = (start == NEVER) == (low == NEVER)
    is_near = low - WITHIN <= start <= high + WITHIN if start != NEVER else is_right
    return ToldStory(features.story.kind == "decay", is_right, is_right and is_near)


def _corpus_stories(
    models: PanelModels, known_series: Iterable[KnownSeries]
) -> Iterator[ToldStory]:
    for series in known_series:
        features = SeriesFeatures.from_values(series.values)
        story = told_story(models, series, features, series.start, series.start)
        if story is not None:
            yield story


def _drawn_stories(models: PanelModels) -> Iterator[ToldStory]:
    for series in plain_suite(LENGTHS):
        features = SeriesFeatures.from_values(series.values)
        # the right answers of a drawn series are an interval by themselves
        story = told_story(models, None, features, series.low, series.high)
        if story is not None:
            yield story


def shares_of(stories: Iterable[ToldStory]) -> tuple[int, float, float, float]:
    """Count, and share right in steady or never; near, of all but decays, and of decays."""
    all_stories = list(stories)
    decay_near, other_near = (
        [x.near for x in all_stories if x.decays is is_decay] for is_decay in (True, False)
    )
    is_right = [story.steady for story in all_stories]
    return (
        len(all_stories),
        float(np.mean(is_right)),
        float(np.mean(other_near)),
        float(np.mean(decay_near)),
    )


def online_odds(models: PanelModels, series: Iterable[ShownSeries]) -> Floats:
    """Log odds of steady at the end of each series, by models that have not seen its system."""
    odds = []
    for shown_series in series:
        forest = models.judge(shown_series.values, shown_series.group).model.online_steady
        rows = prefix_rows(grid_rows(shown_series.values), shown_series.values.size)
        odds.append(forest.sums(summary_row(rows)[None])[0] if forest else np.inf)
    return np.array(odds)


def _print_sureness(study: PublishedStudy, options: Namespace) -> int:
    models = models_named(SHIPPED)
    lines = {"drawn": shares_of(_drawn_stories(models))}
    if options.known_answers:
        known_series = known_answers.known_series_of_folder(options.known_answers)
        lines["corpus"] = shares_of(_corpus_stories(models, known_series))
    print(head("stories that answer", "series", "steady or never", f"within {WITHIN}", "decays"))
    for name, (count, *shares) in lines.items():
        print(row(name, count, *(f"{share:.3f}" for share in shares)))
    means = np.mean([shares for _, *shares in lines.values()], axis=0)
    print(row("mean", "", *(f"{share:.3f}" for share in means)))
    labelled_series = [
        series for series in panel_of_folder(study.folder).shown if series.steady is not None
    ]
    odds = online_odds(models, labelled_series)
    is_steady = np.array([bool(series.steady) for series in labelled_series])
    systems = np.array([series.group for series in labelled_series])
    print(f"\nThe odds of a running series count {counts_of(odds, is_steady):.2f} times.")
    print_never("People, online", odds * leave_out_factors(odds, is_steady, systems), is_steady)
    return 0


main = study_command(_print_sureness, option("--known-answers", type=Path, metavar="FOLDER"))

if __name__ == "__main__":
    raise SystemExit(main())
