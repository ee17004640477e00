"""Sentences that say a story in words."""

from __future__ import annotations

from typing import Final

from detectors.stories.plain_story import Story
from detectors.stories.story_levels import SHORT

NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five"),
    *("six", "seven", "eight", "nine", "ten"),
)


def story_sentence(story: Story) -> str:
    """Say the story in words, where it changes last, and by how much."""
    words = _kind_words(story)
    if story.period:
        words += f", cycles of {story.period:.3g} values all along"
    limit_words = f"; of {story.n} values only flat, a step and never can be told"
    return words + (limit_words if story.n < SHORT else "")


def _kind_words(story: Story) -> str:
    size = f"{abs(story.sizes[-1]):.3g} spreads of the noise" if story.sizes else ""
    words = {
        "flat": "one level from the first value on",
        "slow start": f"{_count_words(story.start, 'slow or fast first value')}, then one level",
        "decay": f"a decay over {size} that settles",
        "noisy start": f"values that scatter {story.ratio:.2g} times as wide before the answer",
        "drift": f"a drift over {size} to the end",
        "random walk": "a random walk",
        "late change": "a change so near the end that what follows is no level yet",
    }
    return words.get(story.kind) or _steps(story)


def _steps(story: Story) -> str:
    if not story.changes:  # of the spread alone
        return f"values that scatter {1 / story.ratio:.2g} times as wide from the answer on"
    fall = story.sizes[len(story.changes) - 1]
    size = f"{abs(fall):.3g} spreads of the noise {'down' if fall > 0 else 'up'}"
    if len(story.changes) == 1:
        return f"one step at {story.changes[0]}, {size}"
    return f"{_count_words(len(story.changes), 'step')}, the last at {story.changes[-1]}, {size}"


def _count_words(number: int, noun: str) -> str:
    """`two steps`; from eleven on digits."""
    number_word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return f"{number_word} {noun}{'' if number == 1 else 's'}"
