"""Several methods behind one option, before or after the files."""

from __future__ import annotations

import pytest

from detectors.command.method_words import one_option_a_method


@pytest.mark.parametrize(
    ("typed_words", "expected_words"),
    [
        ("detect x.csv", "detect x.csv"),
        ("detect x.csv --method sdm", "detect x.csv --method sdm"),
        ("detect x.csv --method sdm fixed", "detect x.csv --method sdm --method fixed"),
        ("detect --method sdm x.csv", "detect --method sdm x.csv"),
        ("detect --method sdm fixed x.csv", "detect --method sdm --method fixed x.csv"),
        ("watch --method fixed?iteration=3 sdm", "watch --method fixed?iteration=3 --method sdm"),
        ("detect --method sdm --method fixed", "detect --method sdm --method fixed"),
        ("detect --method sdm --param k=1 fixed", "detect --method sdm --param k=1 fixed"),
        ("detect x.csv --method wrong sdm", "detect x.csv --method wrong --method sdm"),
        ("push x.json --run sdm fixed --to y", "push x.json --run sdm --run fixed --to y"),
        ("detect x.csv --method", "detect x.csv --method"),
    ],
)
def test_each_method_gets_its_option(typed_words: str, expected_words: str) -> None:
    assert " ".join(one_option_a_method(typed_words.split())) == expected_words
