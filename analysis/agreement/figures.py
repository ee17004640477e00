"""Every figure of the agreement page, from one reading: page, lists and file show the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from analysis.agreement.reads import AgreementVotes
from analysis.statistics.annotator_agreement import (
    AnnotatorAbsence,
    MarkDrift,
    MarkOffsets,
    PairOfPeople,
    SpreadBand,
    absence,
    anybody_says_never,
    bands,
    drift,
    mark_offsets,
    marks_called_steady,
    pairs_of_people,
    spreads,
    yes_no_counts,
)
from analysis.statistics.answers import Answers, Bools, Floats, Indices
from analysis.statistics.inter_rater_agreement import (
    ChanceCorrectedAgreement,
    KrippendorffAlpha,
    beyond_chance,
    interval_alpha,
)
from analysis.statistics.truth_scenarios import without_each
from annotate.answering.second_pass import Consistency, consistency
from annotate.recipes.vectorised import RecipeAnswers

LIMITS: Final = (10, 50, 100, 250, 500, 1000)
"""Bounds of the bands of spread, in iterations."""


@dataclass(frozen=True, slots=True, eq=False)
class AgreementFigures:
    """The figures, and the arrays behind them that lists need.

    complete_count  series that everybody asked has answered: ground truth is told of these
    iterations whether the campaign asks for an iteration at all
    tells_yes_no    whether yes/no can be told: not where only series called steady were shown, and
                    nobody contradicts; its figures are None then
    starts_without  float64 (series,) by person: ground truth without them, NaN if not complete
    """

    votes: AgreementVotes
    tells_yes_no: bool
    counts: Indices
    yes_no: ChanceCorrectedAgreement
    alpha: KrippendorffAlpha
    pairs: tuple[PairOfPeople, ...]
    spread: Floats
    median_spread: float | None
    bands: tuple[SpreadBand, ...]
    clusters: tuple[tuple[int, int], ...]
    consistencies: tuple[Consistency, ...]
    drifts: tuple[MarkDrift, ...]
    offsets: tuple[MarkOffsets, ...]
    starts_without: Mapping[str, Floats]
    absences: tuple[AnnotatorAbsence, ...]

    @property
    def answered_count(self) -> int:
        """Series with at least one vote."""
        return int((self.counts.sum(axis=1) > 0).sum())

    @property
    def has_drifts(self) -> bool:
        """True if somebody has marked enough series in a known order."""
        return any(drift.first is not None for drift in self.drifts)

    @property
    def comparable_pairs(self) -> tuple[PairOfPeople, ...]:
        """Pairs that have answered a series both."""
        return tuple(pair for pair in self.pairs if pair.n)

    @property
    def separate_pairs(self) -> tuple[PairOfPeople, ...]:
        """Pairs without a series in common: of them nothing can be told."""
        return tuple(pair for pair in self.pairs if not pair.n)

    @property
    def complete_count(self) -> int:
        return int(self.votes.complete_mask.sum())

    @property
    def asks_iterations(self) -> bool:
        return self.votes.campaign.makes_truth

    @property
    def split_mask(self) -> Bools:
        """bool (series,): some say steady and some never."""
        votes = self.counts > 0
        return votes[:, 0] & votes[:, 1]

    @property
    def split_count(self) -> int:
        return int(self.split_mask.sum())


def agreement_figures(votes: AgreementVotes) -> AgreementFigures:
    people = votes.people
    people_answers = list(people.values())
    counts = yes_no_counts(people_answers)
    iterations = votes.campaign.makes_truth
    marks_by_person: Mapping[str, Answers] = people if iterations else {}
    spread = (
        spreads(list(marks_by_person.values()))
        if marks_by_person
        else np.full(len(votes.positions), np.nan)
    )
    known_spreads = spread[~np.isnan(spread)]
    truths_without_each = _truths_without_each(votes) if iterations and len(people) > 1 else {}
    tells_yes_no = anybody_says_never(people_answers) or not votes.campaign.marks_the_steady()
    return AgreementFigures(
        votes=votes,
        tells_yes_no=tells_yes_no,
        counts=counts,
        yes_no=_yes_no_agreement(counts, tells_yes_no=tells_yes_no),
        alpha=interval_alpha(marks_called_steady(list(marks_by_person.values()))),
        pairs=_pairs(votes, tells_yes_no=tells_yes_no),
        spread=spread,
        median_spread=float(np.median(known_spreads)) if known_spreads.size else None,
        bands=bands(spread, LIMITS),
        clusters=_clusters(votes.truth) if iterations else (),
        consistencies=tuple(consistency(votes.answer_pairs)),
        drifts=tuple(
            drift(name, marks_by_person, votes.work_times[name]) for name in marks_by_person
        ),
        offsets=_offsets(marks_by_person),
        starts_without=truths_without_each,
        absences=tuple(
            absence(name, votes.truth.start, starts) for name, starts in truths_without_each.items()
        ),
    )


def _yes_no_agreement(counts: Indices, *, tells_yes_no: bool) -> ChanceCorrectedAgreement:
    chance_agreement = beyond_chance(counts)
    return (
        chance_agreement
        if tells_yes_no
        else ChanceCorrectedAgreement(chance_agreement.n, None, None, None)
    )


def _pairs(votes: AgreementVotes, *, tells_yes_no: bool) -> tuple[PairOfPeople, ...]:
    pairs = pairs_of_people(votes.people, votes.tolerance)
    return pairs if tells_yes_no else tuple(replace(pair, same=None) for pair in pairs)


def _offsets(people: Mapping[str, Answers]) -> tuple[MarkOffsets, ...]:
    """People from the earliest to the latest, those left out who can be compared with nobody."""
    comparable_offsets = [
        person_offsets for name in people if (person_offsets := mark_offsets(name, people))
    ]
    return tuple(sorted(comparable_offsets, key=lambda person_offsets: person_offsets.median))


def _truths_without_each(votes: AgreementVotes) -> dict[str, Floats]:
    starts_without = without_each(votes.voices, votes.recipe.slug, votes.params, list(votes.people))
    return {name: np.where(votes.complete_mask, starts, np.nan) for name, starts in starts_without}


def _clusters(truth: RecipeAnswers) -> tuple[tuple[int, int], ...]:
    """Marks of a cluster, from the largest down, with the number of complete series whose ground
    truth rests on it; 0 marks: scattered.
    """
    voted = truth.steady | truth.clustered
    sizes, counts = np.unique(truth.members[voted], return_counts=True)
    return tuple(sorted(zip(sizes.tolist(), counts.tolist(), strict=True), reverse=True))
