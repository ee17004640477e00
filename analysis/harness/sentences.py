"""Sentences of the harness page, made from its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from analysis.cost.sentences import error_text, joined_names, length_text
from analysis.harness.rules import BY_NAME
from analysis.harness.table import HarnessTable
from analysis.web.aligned_lines import aligned_lines
from people.templatetags.writing import grouped, share

MOSTLY = 0.5  # share of the measured iterations
MOST_NAMED = 5
HEADS = ("harness", "n", "warm-up", "error", "95 %", "early", "wasted", "in all")


def harness_sentence(table: HarnessTable) -> str:
    """Sentence of the most exact rule's error, and of rules that would have measured mostly
    warm-up.
    """
    if table.runs.waiting_count and not table.is_reliable:
        return f"{_series(table.n).capitalize()} so far."
    if not table.measuring_rows:
        return f"No harness’s rule can be run on {_series(table.n)}."
    if not table.is_reliable:
        return f"Only {_series(table.n)}: too few for errors; the warm-ups are in the table."
    return " ".join(filter(None, (_best_sentence(table), _most_frequent_sentence(table))))


def _series(n: int) -> str:
    return "one steady series" if n == 1 else f"{grouped(n)} steady series"


def _best_sentence(table: HarnessTable) -> str:
    """Sentence of the rule whose result is off the least, among those with an error."""
    judged_rows = [row for row in table.rows if row["error_q50"] is not None]
    best_row = min(judged_rows, key=lambda row: row["error_q50"], default=None)
    if best_row is None:
        return ""
    title = BY_NAME[best_row["harness"]].title
    sentence_start = (
        f"{title} has left the warm-up on {share(best_row['past'], 0)} of {grouped(best_row['n'])}"
    )
    wasted_median = best_row["wasted_q50"]
    return (
        f"{sentence_start} "
        f"series{f' and waits {_length(wasted_median)} too long' if wasted_median else ''}."
    )


def _most_frequent_sentence(table: HarnessTable) -> str:
    late_rows = [row for row in table.measuring_rows if row["early"] > MOSTLY]
    if not late_rows:
        return ""
    if len(late_rows) > MOST_NAMED:
        count = f"{grouped(len(late_rows))} of {grouped(len(table.measuring_rows))}"
        return f"{count} rules would have measured mostly warm-up."
    names = joined_names([BY_NAME[row["harness"]].title for row in late_rows])
    return f"{names} would have measured mostly warm-up."


def harness_note(table: HarnessTable) -> str:
    """Note on who says where the series become steady, and how far the sentence holds."""
    q = table.truth
    sentence = f"By {table.runs.judge}"
    if table.runs.yardstick is None:
        sentence = f"Nobody has marked these series. {sentence}, the default method"
    if q.q25 is not None and q.q75 is not None and table.n > 1:
        range_words = f"between {_length(q.q25)} and {_length(q.q75)}"
        sentence += f", half of these series become steady {range_words}"
    return (
        f"{sentence}. Each rule is run on the recorded iterations. The table judges rules on these "
        "series, not harnesses; code that is compiled ahead warms up faster."
    )


def _length(seconds: float) -> str:
    return length_text(seconds, in_seconds=True)


def span_words(low: float, high: float) -> str:
    """Words for a span of seconds: `2 s`, or of an adaptive rule `3.1 s to 7.2 s`."""
    low_words, high_words = _length(low), _length(high)
    return low_words if low_words == high_words else f"{low_words} to {high_words}"


# --- lines of a terminal ------------------------------------------------------------------------
def harness_lines(table: HarnessTable) -> Iterator[str]:
    """The sentence, what it rests on, and a line a harness."""
    yield f"{harness_sentence(table)}\n{harness_note(table)}\n\n"
    yield from aligned_lines([HEADS, *map(_line_cells, table.rows)])


def _line_cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    title = BY_NAME[row["harness"]].title
    if not row["n"]:
        return (title, "0", row["reason"] or "–", *["–"] * 5)
    has_error = row["error_q50"] is not None
    error = error_text(row["error_q50"]) if has_error else "–"
    error_ends = [error_text(row[f"error_{end}"]) for end in ("low", "high") if has_error]
    wasted_lengths = [
        length_text(row[f"wasted_{statistic}"], in_seconds=True) for statistic in ("q50", "total")
    ]
    warm_up_words, early_words = (
        span_words(row["warm_up_q25"], row["warm_up_q75"]),
        share(row["early"], 0),
    )
    return (
        title,
        grouped(row["n"]),
        warm_up_words,
        error,
        " to ".join(error_ends) or "–",
        early_words,
        *wasted_lengths,
    )
