"""Sentences of the harness page, made from its figures."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.cost.sentences import error_text, length_text
from analysis.harness.table import HarnessRow, HarnessTable
from analysis.statistics.result_quality import Quartiles
from analysis.web.aligned_lines import aligned
from people.templatetags.writing import share, whole

MOSTLY = 0.5  # of the measured iterations
MOST_NAMED = 5
HEADS = ("harness", "n", "warm-up", "error", "95 %", "early", "wasted", "in all")


def harness_sentence(table: HarnessTable) -> str:
    """Sentence of the most exact rule's error, and of rules that would have measured mostly
    warm-up.
    """
    if table.runs.waiting and not table.is_reliable:
        return f"{_series(table.n).capitalize()} so far."
    if not table.measuring:
        return f"No harness’s rule can be run on {_series(table.n)}."
    if not table.is_reliable:
        return f"Only {_series(table.n)}: too few for errors; the warm-ups are in the table."
    return " ".join(filter(None, (_best(table), _mostly(table))))


def _series(n: int) -> str:
    return "one steady series" if n == 1 else f"{whole(n)} steady series"


def _best(table: HarnessTable) -> str:
    """Sentence of the rule whose result is off the least, among those with an error."""
    judged_rows = [row for row in table.rows if row.error.q50 is not None]
    best = min(judged_rows, key=lambda row: row.error.q50 or 0.0, default=None)
    if best is None or best.past is None or best.wasted is None:
        return ""
    sentence_start = (
        f"{best.choice.title} has left the warm-up on {share(best.past, 0)} of {whole(best.n)}"
    )
    waits = f" and waits {_length(best.wasted)} too long" if best.wasted else ""
    return f"{sentence_start} series{waits}."


def _mostly(table: HarnessTable) -> str:
    late = [row for row in table.measuring if (row.early or 0.0) > MOSTLY]
    if not late:
        return ""
    if len(late) > MOST_NAMED:
        count = f"{whole(len(late))} of {whole(len(table.measuring))}"
        return f"{count} rules would have measured mostly warm-up."
    return f"{_named(late)} would have measured mostly warm-up."


def _named(rows: list[HarnessRow]) -> str:
    *first_titles, last = [row.choice.title for row in rows]
    return f"{', '.join(first_titles)} and {last}" if first_titles else last


def harness_note(table: HarnessTable) -> str:
    """Note on who says where the series become steady, and how far the sentence holds."""
    q = table.truth
    sentence = "" if table.runs.yardstick else "Nobody has marked. "
    sentence += f"By {table.runs.judge}"
    if q.q25 is not None and q.q75 is not None and table.n > 1:
        ends = f"between {_length(q.q25)} and {_length(q.q75)}"
        sentence += f", half of these series become steady {ends}"
    return (
        f"{sentence}. Each rule is run on the recorded iterations: the table judges rules on these "
        "series, not harnesses, and code that is compiled ahead warms up faster."
    )


def _length(seconds: float) -> str:
    return length_text(seconds, in_seconds=True)


def span_words(seconds: Quartiles) -> str:
    """The middle half: `2 s`, or of an adaptive rule `3.1 s to 7.2 s`."""
    if seconds.q25 is None or seconds.q75 is None:
        return ""
    low, high = _length(seconds.q25), _length(seconds.q75)
    return low if low == high else f"{low} to {high}"


# --- lines of a terminal ------------------------------------------------------------------------
def harness_lines(table: HarnessTable) -> Iterator[str]:
    """The sentence, what it rests on, and a line a harness."""
    yield f"{harness_sentence(table)}\n{harness_note(table)}\n\n"
    yield from aligned([HEADS, *map(_line_cells, table.rows)])


def _line_cells(row: HarnessRow) -> tuple[str, ...]:
    if not row.n:
        return (row.choice.title, "0", row.reason or "–", *["–"] * 5)
    error = "–" if row.error.q50 is None else error_text(row.error.q50)
    ends = " to ".join(map(error_text, row.interval)) if row.interval else "–"
    wasted = [
        length_text(seconds or 0.0, in_seconds=True) for seconds in (row.wasted, row.wasted_total)
    ]
    early = share(row.early, 0)
    return (row.choice.title, whole(row.n), span_words(row.warmup), error, ends, early, *wasted)
