"""Sentences of a campaign's page: how much work it is, and what each of its settings causes."""

from __future__ import annotations

from math import ceil
from typing import Final

from annotate import recipes
from annotate.campaigns import series_order
from annotate.campaigns.pace import USUAL_SECONDS
from annotate.drafts.campaign_forms import INSTRUCTIONS
from annotate.models import Campaign
from annotate.recipes import agreed_changes

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def number_with_noun(number: int, singular: str, plural: str) -> str:
    """A number with its noun, numbers below ten in letters: ``five people``."""
    words = NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"
    return f"{words} {singular if number == 1 else plural}"


def workload(series: int, people: int, *, overlap: int | None, cap: int | None) -> int:
    """Number of answers that a campaign asks for: `overlap` people a series, `cap` a person."""
    answers = series * min(overlap or people, people)
    return min(answers, people * cap) if cap else answers


def workload_sentence(
    series: int, people: int, *, overlap: int | None, cap: int | None, pace: float | None
) -> str:
    """Say how many series and people there are, and what that is for each; `pace` in seconds a
    series.
    """
    counts_text = f"{series:,} series, {number_with_noun(people, 'person', 'people')}"
    if not series or not people:
        return f"{counts_text}."
    answers = workload(series, people, overlap=overlap, cap=cap)
    minutes = ceil(answers / people * (pace or USUAL_SECONDS) / 60)
    minutes_text = "about one minute" if minutes == 1 else f"about {minutes:,} minutes"
    return (
        f"{counts_text}: {answers:,} answer{'' if answers == 1 else 's'}, {minutes_text} a person."
    )


def question(campaign: Campaign) -> str:
    question_text = "From which iteration on is it steady?"
    if campaign.is_screening:
        question_text = "Does it become steady? No iteration is asked."
    elif campaign.asks_changes:
        question_text = "At which iterations does its level change? All of them, or none."
    return (
        f"{question_text} And how difficult was it?" if campaign.ask_difficulty else question_text
    )


def sight(campaign: Campaign) -> str:
    """Say what annotators see of a series, and in which order."""
    hidden_words = [
        words
        for words, is_hidden in (
            ("names", campaign.hide_names),
            ("figures on the axis", campaign.hide_values),
        )
        if is_hidden
    ]
    split_words = ", ".join([*hidden_words, "anybody else’s answers"]).rpartition(", ")
    words = (
        f"Neither {split_words[0]} nor {split_words[2]}"
        if hidden_words
        else "All but anybody else’s answers"
    )
    if campaign.show_events:
        words = f"{words}, but events of the process"
    order = dict(series_order.choices())[campaign.selection.get("order", series_order.OWN)]
    is_own_order = campaign.selection.get("order", series_order.OWN) == series_order.OWN
    return f"{words}; {'each in an own order' if is_own_order else order}"


def truth(campaign: Campaign) -> str:
    """The rule that makes ground truth; of a screening, the one for its majorities."""
    if campaign.is_screening:
        return "More than half of the votes for steady or never"
    if campaign.asks_changes:
        return agreed_changes.rule_sentence(campaign.params)
    return recipes.get(campaign.recipe).sentence(campaign.params)


def practice(campaign: Campaign) -> str:
    if campaign.asks_changes:
        return "None: a training asks for steady starts"
    practice_words = (
        f"Eight series with known answers, {round(100 * campaign.training.pass_mark)} % to pass"
        if campaign.training
        else "Four drawn examples, before the first series"
    )
    checks = campaign.checks
    check_words = (
        f"; {number_with_noun(checks, 'unannounced check', 'unannounced checks')}" if checks else ""
    )
    return practice_words + check_words


def second_look(campaign: Campaign) -> str:
    if not campaign.second_share:
        return "Nobody is asked twice"
    share, days = round(100 * campaign.second_share), campaign.second_days
    delay_words = f"{number_with_noun(days, 'day', 'days')} after the last" if days else "at once"
    return f"{share} % of each person’s series once more, {delay_words}"


def limit_words(campaign: Campaign, series: int) -> str:
    """Say how many series a person is given, and how many people a series."""
    cap = campaign.selection.get("cap")
    words = f"At most {cap:,} series" if cap and cap < series else f"All {series:,} series"
    if campaign.overlap is None:
        return words
    return f"{words}; {number_with_noun(campaign.overlap, 'person', 'people')} a series"


def instructions(campaign: Campaign) -> str:
    text = campaign.instructions
    if campaign.asks_changes:
        return f"Your own page: {len(text.split()):,} words"
    if text.split() == INSTRUCTIONS.split():
        return "The standard page: drawn examples, one minute to read"
    if not text.strip():
        return "Drawn examples alone"
    return f"Your own page: drawn examples and {len(text.split()):,} words"
