"""Objects of JSON in which a name stands twice."""

from __future__ import annotations

import pytest

from formats import json_text


class CountedName(str):
    """Counts how often it is compared."""

    __slots__ = ()
    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        CountedName.compared += 1
        return str.__eq__(self, other)


def test_a_repeated_name_is_found_without_comparing_each_with_each() -> None:
    names = [f"name {number}" for number in range(500)]
    pairs: list[tuple[str, object]] = [(CountedName(name), 0) for name in [*names, names[-1]]]

    with pytest.raises(json_text._RepeatedName, match="name 499"):
        json_text._object(pairs)

    assert 0 < CountedName.compared < 5 * len(pairs)


def test_the_first_of_two_repeated_names_is_told() -> None:
    with pytest.raises(json_text._RepeatedName, match=r"^a$"):
        json_text._object([("a", 1), ("b", 1), ("b", 2), ("a", 2)])
