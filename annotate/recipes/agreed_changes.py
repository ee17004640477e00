"""Changes of level on which several people agree: the recipe of campaigns that ask for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.recipes.clusters import clusters, steady_indices
from annotate.recipes.contract import RecipeMark
from annotate.recipes.jagt import EPS, MIN_SAMPLES, members, upper_middle
from annotate.recipes.parameters import clean

SLUG, VERSION = "agreed-changes", "1"
RULE = "A change counts where {min_samples} or more people mark one within {eps} iterations."


@dataclass(frozen=True, slots=True)
class AgreedChange:
    """A change of level: the first iteration of the new level, and who marked it.

    low, high  first and last mark of its cluster
    """

    position: int
    people: tuple[str, ...]
    low: int
    high: int


def agreed_changes(
    answers: Mapping[str, Sequence[int]], params: Mapping[str, object] | None = None
) -> tuple[AgreedChange, ...]:
    """Clusters of the marks of all people, in rising order, each by `min_samples` people or more.

    answers  positions by pseudonym; an empty answer says that nothing changes. One cluster may
             hold several marks of a person: they count as one voice. The position is the middle
             mark of the cluster, the upper one of an even number.
    """
    values = clean((EPS, MIN_SAMPLES), params)
    marks = [
        RecipeMark(annotator, "steady", position)
        for annotator, positions in answers.items()
        for position in positions
    ]
    agreed_positions = []
    for cluster in clusters(marks, **values):
        people = tuple(dict.fromkeys(members(cluster)))
        if len(people) >= values["min_samples"]:
            positions = steady_indices(cluster)
            middle, _ = upper_middle(positions)
            agreed_positions.append(AgreedChange(middle, people, positions[0], positions[-1]))
    return tuple(agreed_positions)


def rule_sentence(params: Mapping[str, object] | None = None) -> str:
    """Say in words when a change counts."""
    return RULE.format(**clean((EPS, MIN_SAMPLES), params))
