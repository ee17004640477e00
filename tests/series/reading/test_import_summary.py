"""What an import page and a command say of a file."""

from __future__ import annotations

from series.reading.import_summary import MOST_NOTES, first_notes


def test_a_note_on_each_of_many_benchmarks_is_counted_after_the_first_ones() -> None:
    notes = {f"warm-up of {number}": 5 for number in range(MOST_NOTES)}

    assert first_notes({}) == []
    assert first_notes(notes) == list(notes.items())
    assert first_notes({**notes, "another": 2, "one more": 3}) == [
        *notes.items(),
        ("2 further notes", 5),
    ]
