"""Results in memory: the latest used stay, up to a bound, and each is counted once."""

from __future__ import annotations

from analysis.web.latest_used import LatestUsed


def test_the_one_unused_for_longest_makes_room() -> None:
    kept: LatestUsed[str, int] = LatestUsed(2)
    kept.keep("a", 1)
    kept.keep("b", 2)

    assert kept.get("a", None) == 1
    kept.keep("c", 3)

    assert [kept.get(key, None) for key in "abc"] == [1, None, 3]


def test_what_another_thread_has_kept_stays_and_weighs_once() -> None:
    kept: LatestUsed[str, str] = LatestUsed(5, lambda _key, result: len(result))

    answers = [kept.keep("a", "xx"), kept.keep("a", "yyyy"), kept.keep("b", "zzz")]

    assert answers == ["xx", "xx", "zzz"]
    assert list(kept) == ["a", "b"]
    kept.clear()
    assert [kept.keep(key, "xxx") for key in "abc"] == ["xxx"] * 3
    assert list(kept) == ["c"]


def test_the_least_number_stays_whatever_it_weighs() -> None:
    kept: LatestUsed[str, int] = LatestUsed(1, lambda _key, weight: weight, least=2)

    for key in "abc":
        kept.keep(key, 10)

    assert list(kept) == ["b", "c"]
