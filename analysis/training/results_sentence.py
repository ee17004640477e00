"""Sentence of a training that has ended: how well its models do on what they had not seen."""

from __future__ import annotations

from analysis.training.models import Training
from analysis.work.job_sentence import JobSentence
from detectors.training.figures.fold_figures import spreads_over_seeds
from people.templatetags.writing import grouped


def results_sentence(training: Training, *, may_see_all: bool) -> JobSentence:
    """Say the F1 of the models; told: whether the reader may see figures of every series."""
    if not training.card:
        return JobSentence("There are no weights: not every model was fitted.")
    if not may_see_all:
        return JobSentence("Hidden until you have answered every series that the models saw.")
    card = training.card
    figures = {figure.name: figure for figure in spreads_over_seeds(card["by_seed"])}
    score, unseen_kind = figures["f1"], training.unseen
    answer = f"No window of {unseen_kind} that a model had not seen could be judged."
    if score.mean is not None:
        sd = f" ± {score.sd:.3f} over {training.seeds} seeds" if score.sd is not None else ""
        answer = f"On {unseen_kind} that it had not seen a model scores F1 {score.mean:.3f}{sd}."
    return JobSentence(
        answer,
        f"Stable counts as positive. {grouped(card['steady_series'])} steady series give "
        f"{grouped(card['windows'])} windows, {grouped(card['stable_windows'])} of them stable.",
    )
