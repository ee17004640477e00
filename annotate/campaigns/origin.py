"""The origin of a campaign's ground truth: how its series were chosen, and what they stand for.

A ground truth of series that somebody picked says little of those that were left. Counts and
words only, never an answer: they are the same for every reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Count, QuerySet

from annotate.campaigns import selection
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Mark
from series.models import Dataset, Series

RULES: Final = {
    selection.ALL: "every fork, none drawn",
    selection.ONE_FORK: "one fork of each benchmark, drawn at random with seed {seed}",
    selection.RANDOM: "drawn at random with seed {seed}, proportional by system",
    selection.BY_SHAPE: "drawn at random with seed {seed}, proportional by shape",
    selection.EVEN_SHAPES: "drawn at random with seed {seed}, equally many of each shape",
    selection.BY_NOISE: "drawn at random with seed {seed}, proportional by noise",
    selection.LISTED: "from a list, not drawn at random",
}
FILTERS: Final = ("dataset", "recording", "text", "only")  # what else narrowed the choice


@dataclass(frozen=True, slots=True)
class AnnotatedShare:
    """Share of one data set that has a ground truth that counts; each pair is (annotated, all)."""

    dataset: str
    benchmarks: tuple[int, int]
    forks: tuple[int, int]
    systems: tuple[int, int]

    @property
    def sentence(self) -> str:
        parts = [
            _share_words(self.benchmarks, "benchmark"),
            _share_words(self.forks, "fork"),
            _share_words(self.systems, "system"),
        ]
        return f"{self.dataset}: {', '.join(parts)} annotated."


def _share_words(counts: tuple[int, int], noun: str) -> str:
    count, total = counts
    return f"{count:,} of {total:,} {noun}{'' if total == 1 else 's'} ({100 * count / total:.0f} %)"


def annotated_shares(campaign: Campaign) -> list[AnnotatedShare]:
    """One of each data set of which the campaign has series, by name; two queries each."""
    campaign_series = Series.objects.filter(pk__in=campaign.tasks.counted().values("series"))
    settled_truths = GroundTruth.objects.settled().filter(
        task__campaign=campaign, task__expected=None
    )
    return [
        _share(dataset, settled_truths)
        for dataset in Dataset.objects.filter(
            pk__in=campaign_series.order_by().values("benchmark__dataset")
        ).order_by("name")
    ]


def _share(dataset: Dataset, settled_truths: QuerySet[GroundTruth]) -> AnnotatedShare:
    """Count from the ground truths on: each is of another series of the campaign."""
    annotated_truths = settled_truths.filter(task__series__benchmark__dataset=dataset)
    annotated_counts = _counts(annotated_truths, "task__series__benchmark")
    all_counts = _counts(Series.objects.filter(benchmark__dataset=dataset), "benchmark")
    benchmarks, forks, systems = zip(annotated_counts, all_counts, strict=True)
    return AnnotatedShare(dataset.name, benchmarks, forks, systems)


def _counts(rows: QuerySet[GroundTruth] | QuerySet[Series], benchmark: str) -> tuple[int, int, int]:
    """Benchmarks, rows and systems; benchmark: the lookup from a row to its benchmark."""
    counts = rows.order_by().aggregate(
        benchmarks=Count(benchmark, distinct=True),
        forks=Count("pk"),
        systems=Count(f"{benchmark}__system", distinct=True),
    )
    return counts["benchmarks"], counts["forks"], counts["systems"]


def choice_sentence(campaign: Campaign) -> str:
    """Say how the series were chosen, and whether at random; of two stages how the first one's
    were.
    """
    first_stage = campaign.follows or campaign
    stored_choice = first_stage.selection
    rule = RULES.get(stored_choice.get("rule", ""))
    if rule is None:
        return "Plateau did not choose these series, so how they were chosen is unknown."
    filter_texts = [str(stored_choice[name]) for name in FILTERS if stored_choice.get(name)]
    filter_words = f", among those of “{' · '.join(filter_texts)}”" if filter_texts else ""
    return f"Series: {rule.format(**stored_choice)}{filter_words}."


def stage_sentences(campaign: Campaign) -> list[str]:
    """Say what was judged never steady before the marks, and on which forks."""
    rows = Assignment.objects.filter(task__campaign=campaign, latest__kind=Mark.Kind.NEVER)
    count_by_kind = {
        kind: rows.filter(user__annotates__campaign=campaign, user__annotates__kind=kind).count()
        for kind in Annotator.CLASSIFICATIONS
    }
    screened_count, label_count = (
        count_by_kind[Annotator.Kind.SCREENING],
        count_by_kind[Annotator.Kind.PUBLISHED],
    )
    undecided_count = count_screened_undecided(campaign)
    undecided_words = (
        f"{_series(undecided_count)} undecided because it has none, " if undecided_count else ""
    )
    count_by_sentence = {
        f"Two stages on the same forks: {_series(screened_count)} never by the majority of the "
        f"screening, {undecided_words}the others were marked.": screened_count or undecided_count,
        f"Two stages on different forks: {_series(label_count)} never by the published label, the "
        "others were marked. The label was given on forks that the package does not name, and "
        "is paired with fork 0.": label_count,
    }
    return [sentence for sentence, count in count_by_sentence.items() if count]


def count_screened_undecided(campaign: Campaign) -> int:
    """Count the series that have no majority of the screening, and no vote of anybody who marks."""
    truths = GroundTruth.objects.filter(task__campaign=campaign)
    return truths.filter(agreement="screened-undecided").count()


def _series(count: int) -> str:
    return f"{count:,} series {'is' if count == 1 else 'are'}"


def order_sentences(campaign: Campaign) -> list[str]:
    """Say that some series come before others for a reason, where they do."""
    sentence = (
        "Some series are asked before the others, as a rule the difficult ones: unless all are "
        "annotated, they are no random sample."
    )
    return [sentence] if campaign.tasks.filter(turn__gt=0).exists() else []


def origin_sentences(campaign: Campaign) -> list[str]:
    """All of it, in the order in which a page shows it."""
    shares = [share.sentence for share in annotated_shares(campaign)]
    choice_sentences = [choice_sentence(campaign), *order_sentences(campaign)]
    return [*stage_sentences(campaign), *choice_sentences, *shares]
