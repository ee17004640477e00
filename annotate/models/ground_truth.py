"""Ground truth: what a campaign's recipe makes of its marks, stored; every reader reads it here.

Page, order, CSV, comparison and report ask these rows and never the marks. Whoever changes what
they follow from (a mark, a recipe, who is asked, a campaign's state) rewrites them in the same
transaction: `ground_truth_updates.refresh_ground_truths`. `manage.py recompute --check` proves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from django.db import models

from annotate import recipes
from annotate.models.task import Task

CampaignOrder = Callable[[], Sequence[int]]


class GroundTruthQuerySet(models.QuerySet["GroundTruth"]):
    def settled(self) -> GroundTruthQuerySet:
        """Ground truths that count: everybody asked has answered, or the campaign is closed."""
        return self.filter(complete=True)

    def by_series(self, order: CampaignOrder = tuple) -> dict[int, recipes.RecipeAnswer]:
        """Answers by primary key of the series, without the names of their clusters.

        order  gives primary keys of campaigns, best first, if the answers are of several: of
               several answers for one series the best campaign's counts
        """
        rows = self.values_list(
            *("task__campaign", "task__series", "steady", "steady_start"),
            *("agreement", "spread", "complete"),
        )
        has_several_campaigns = len({campaign for campaign, *_ in rows}) > 1
        ranks = {pk: number for number, pk in enumerate(order() if has_several_campaigns else ())}
        ranked_rows = sorted(rows, key=lambda row: -ranks.get(row[0], len(ranks)))
        return {
            pk: recipes.RecipeAnswer(steady, start, agreement, spread, provisional=not is_complete)
            for _, pk, steady, start, agreement, spread, is_complete in ranked_rows
        }


class GroundTruth(models.Model):
    """Answer that the campaign's recipe makes of the latest marks of one task: derived, never
    edited.
    """

    task = models.OneToOneField(Task, models.CASCADE, primary_key=True, related_name="ground_truth")
    recipe_key = models.CharField(max_length=200)  # jagt?eps=50&min_samples=3
    marks_digest = models.CharField(max_length=64)  # SHA-256 of the marks it was made of
    steady = models.BooleanField(null=True)  # empty: undecided
    steady_start = models.PositiveIntegerField(null=True, blank=True)
    agreement = models.CharField(max_length=20)
    spread = models.PositiveIntegerField(null=True, blank=True)  # largest - smallest steady mark
    cluster = models.JSONField(default=list, blank=True)  # user ids of the clustered marks
    answered = models.PositiveIntegerField(default=0)
    complete = models.BooleanField(default=False)  # all have answered, or the campaign is closed

    objects = GroundTruthQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "ground truth"

    def __str__(self) -> str:
        return f"{self.task}: {self.steady_start if self.steady else self.agreement}"

    @property
    def value(self) -> int | None:
        """The first steady iteration, NEVER, or None for undecided."""
        return recipes.NEVER if self.steady is False else self.steady_start

    def answer(self, pseudonyms: Mapping[int, str]) -> recipes.RecipeAnswer:
        """Answer as the recipe gave it; `pseudonyms` of the campaign's people by user id."""
        return recipes.RecipeAnswer(
            self.steady,
            self.steady_start,
            self.agreement,  # type: ignore[arg-type]  # written from one
            self.spread,
            tuple(pseudonyms[user] for user in self.cluster),
            provisional=not self.complete,
        )
