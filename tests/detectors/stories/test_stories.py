"""Plain stories: told of every shape, length and noise, and moved by nothing trivial."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from detectors.contract import NEVER, Values, as_series
from detectors.simulated.plain_series import NOISES, TRAINING, plain_series
from detectors.simulated.synthetic import simulate
from detectors.stories.plain_story import Story, first_run, read_story
from detectors.stories.story_levels import cut_spikes, transform_length
from detectors.stories.story_words import story_sentence
from evidence.corpus.plain_shares import plain_suite, shares

FLAT_LENGTHS = (10, 20, 50, 100, 300, 1000, 3000)


def noisy_series(levels: Values, spread: float = 0.01, seed: int = 0) -> Values:
    return as_series(
        levels * (1 + spread * np.random.default_rng(seed).standard_normal(levels.size))
    )


def test_flat_noise_is_steady_from_the_start_in_any_length() -> None:
    stories = [
        read_story(plain_series("flat", noise, n, number, TRAINING, source).values)
        for n in FLAT_LENGTHS
        for noise, source in NOISES.items()
        for number in range(5)
    ]

    assert np.mean([story.start == 0 for story in stories]) >= 0.97


def test_every_plain_shape_length_and_noise_is_mostly_right() -> None:
    suite = plain_suite((30, 100, 300, 1000, 3000), 1, sources=NOISES)
    results = [(series, series.is_right(read_story(series.values).start)) for series in suite]

    assert np.mean([is_right for _, is_right in results]) >= 0.94
    assert min(shares(results, "shape").values()) >= 0.8
    assert min(shares(results, "length").values()) >= 0.85
    assert min(shares(results, "noise").values()) >= 0.9


def test_two_steps_are_told_with_places_and_sizes() -> None:
    i = np.arange(3000)
    story = read_story(noisy_series(np.where(i < 400, 2.0, np.where(i < 900, 1.2, 1.0))))

    assert story.kind == "steps"
    assert story.start == pytest.approx(900, abs=3)
    assert len(story.changes) == 2
    assert story.changes[0] == pytest.approx(400, abs=3)
    assert story_sentence(story).startswith(f"two steps, the last at {story.start}, ")
    assert story_sentence(story).endswith("spreads of the noise down")


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("noise-change", "noisy start"),
        ("drift", "drift"),
        ("late-step", "late change"),
        ("random-walk", "random walk"),
        ("decay", "decay"),
        ("flat", "flat"),
    ],
)
def test_simulated_kinds_have_their_stories(kind: str, word: str) -> None:
    series = simulate(kind)

    story = read_story(series.values)

    assert story.kind == word
    assert (story.start == NEVER) is (series.steady_start == NEVER)


@pytest.mark.parametrize("count", [1, 2, 7, 30])
def test_slow_first_values_are_counted(count: int) -> None:
    story = read_story(noisy_series(np.where(np.arange(3000) < count, 4.0, 1.0)))

    assert (story.kind, story.start) == ("slow start", count)


def test_cycles_are_taken_out() -> None:
    i = np.arange(2000)
    story = read_story(noisy_series(np.where(i % 12 < 6, 1.05, 1.0)))

    assert story.start == 0
    assert story.period == pytest.approx(12, abs=0.1)
    assert "cycles of 12 values" in story_sentence(story)


def test_a_noisy_start_is_placed_by_distances_from_the_level_too() -> None:
    series = [
        plain_series("noisy-start", "skewed", n, number, TRAINING, NOISES["skewed"])
        for n in (50, 100, 500, 3000)
        for number in range(100, 108)
    ]

    assert (
        np.mean([series_row.is_right(read_story(series_row.values).start) for series_row in series])
        >= 0.95
    )


def test_a_short_excursion_is_no_level() -> None:
    i = np.arange(3000)
    story = read_story(noisy_series(np.where((i > 1500) & (i < 1600), 1.5, 1.0)))

    assert story.start == 0


def test_few_values_say_how_little_they_tell() -> None:
    story = read_story(noisy_series(np.where(np.arange(20) < 8, 2.0, 1.0)))

    assert story.start == 8
    assert "of 20 values only flat, a step and never can be told" in story_sentence(story)


@pytest.mark.parametrize("n", [10, 29])
def test_below_30_values_only_flat_a_step_and_never_are_told(n: int) -> None:
    kinds = {
        read_story(np.random.default_rng(seed).lognormal(0, 0.3, n)).kind for seed in range(100)
    }

    assert kinds <= {"flat", "slow start", "steps", "drift", "random walk", "late change"}


@pytest.mark.parametrize(
    "values",
    [
        np.full(10, 3.0),
        np.zeros(5000),
        np.r_[1e300, np.ones(99)],
        np.r_[-1e308, np.full(29, 1e308)],
        1e-300 * np.arange(40.0),
        np.r_[np.zeros(500), np.ones(500)],
        np.arange(20) % 2.0,
        10.0 ** (np.arange(200) % 8),
        -np.arange(100_000.0),
    ],
)
def test_odd_series_have_a_story(values: Values) -> None:
    story = read_story(values)

    assert NEVER <= story.start < values.size
    assert story_sentence(story)


def moved_share(change: Callable[[Values], Values]) -> float:
    """Share of answers that differ by more than 1 % of the series after a change."""
    suite = list(plain_suite((100, 500, 3000), 1, TRAINING, NOISES))
    far_count = 0
    for series in suite:
        story_before, story_after = read_story(series.values), read_story(change(series.values))
        far_count += _distance(story_before, story_after) > 0.01 * series.values.size
    return far_count / len(suite)


def _distance(story: Story, other_story: Story) -> float:
    if NEVER in {story.start, other_story.start}:
        return 0.0 if story.start == other_story.start else float("inf")
    return abs(story.start - other_story.start)


@pytest.mark.parametrize("factor", [1e-9, 1000.0, 2.0**40])
def test_a_unit_moves_no_answer(factor: float) -> None:
    assert moved_share(lambda values: factor * values) == 0


def test_a_constant_added_moves_no_answer() -> None:
    assert moved_share(lambda values: values + float(np.median(values))) <= 0.01


def test_one_more_steady_value_moves_few_answers() -> None:
    assert moved_share(lambda values: np.append(values, np.median(values[-3:]))) <= 0.01


def test_a_spike_less_moves_few_answers() -> None:
    def remove_spike(values: Values) -> Values:
        inner_values = values[values.size // 10 : -values.size // 10]
        i = values.size // 10 + int(np.abs(inner_values - np.median(inner_values)).argmax())
        return np.r_[values[:i], np.median(values[i - 2 : i + 3]), values[i + 1 :]]

    assert moved_share(remove_spike) <= 0.02


def test_a_decay_has_settled_earlier_among_values_far_off() -> None:
    i = np.arange(1000)
    even_values = noisy_series(1 + 0.5 * np.exp(-i / 40), 0.001)
    uneven_values = even_values + np.where(i % 6 == 0, 0.02, 0.0)

    assert read_story(uneven_values).start < read_story(even_values).start


def test_a_noisy_start_of_few_values_is_told() -> None:
    scatter = np.where(np.arange(40) < 14, 0.1, 0.01)
    stories = [
        read_story(as_series(1 + scatter * np.random.default_rng(seed).standard_normal(40)))
        for seed in range(20)
    ]

    is_near = [story.kind == "noisy start" and abs(story.start - 14) <= 4 for story in stories]
    assert np.mean(is_near) >= 0.8


def test_spikes_at_the_end_are_no_late_change() -> None:
    values = noisy_series(np.ones(100))
    spiked_values = np.r_[values[:-1], 3.0]

    assert read_story(spiked_values).start == 0


def test_a_late_step_is_never() -> None:
    assert read_story(noisy_series(np.where(np.arange(1000) < 980, 1.0, 1.3))).start == NEVER


@pytest.mark.parametrize("count", [3, 10])
def test_slow_first_values_are_counted_among_rare_spikes_as_high(count: int) -> None:
    random = np.random.default_rng(0)
    i = np.arange(1000)
    spikes = np.where((random.random(1000) < 0.03) & (i > 50), 0.3, 0.0)
    values = as_series(noisy_series(np.where(i < count, 1.2, 1.0)) + spikes)

    assert read_story(values).start == count


def test_a_first_spike_is_cut_and_a_decay_is_not() -> None:
    flat_values, decay = np.zeros(50), 20 * np.exp(-np.arange(50) / 2)
    spike = np.r_[20.0, flat_values[1:]]

    assert cut_spikes(spike, 1.0)[0] == 4
    np.testing.assert_allclose(cut_spikes(decay, 1.0), decay, rtol=0.05)


def test_first_values_that_do_not_stand_out_are_no_run() -> None:
    assert first_run(np.random.default_rng(0).standard_normal(500)) == 0


@pytest.mark.parametrize("least_size", [43, 4497, 4501, 6145])
def test_transforms_have_no_large_prime_factor(least_size: int) -> None:
    length = transform_length(least_size)

    odd_factor = length // (length & -length)
    assert least_size <= length <= 1.3 * least_size
    assert odd_factor in {1, 3, 5, 7}
    assert length % 2 == 0  # the inverse transform takes an even length
