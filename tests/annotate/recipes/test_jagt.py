"""Both JAGT recipes against the worked vectors and the published marks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from annotate.recipes import (
    RecipeAnswer,
    RecipeMark,
    RecipeParameterError,
    UnknownRecipe,
    aggregate,
    get,
)
from tests.published_data import replication_folder

# Marks of a1 … a5, size of the cluster, jagt, jagt-published; eps 50, min_samples 3.
FIVE = [
    ((8, 7, 736, 6, 7), 4, 7, 6),
    ((207, 214, 950, 172, 262), 4, 214, 172),
    ((19, 56, 613, 5, 37), 4, 37, 5),
    ((758, 760, 765, 761, 825), 4, 761, 765),
    ((7, 3, 304, 10, 6), 4, 7, 10),
    ((6, 19, 1106, 2, 9), 4, 9, 2),
    ((100, 150, 200, 900, 1500), 3, 150, 150),
    ((100, 150, 201, 900, 1500), 0, 201, 201),
    ((100, 150, 200, 250, 300), 5, 200, 200),
    ((10, 60, 110, 111, 2000), 4, 110, 110),
    ((111, 110, 60, 10, 2000), 4, 110, 60),
    ((0, 50, 51, 102, 2999), 3, 50, 50),
    ((5, 5, 5, 5, 5), 5, 5, 5),
    ((1, 1000, 2000, 2500, 2990), 0, 2000, 2000),
]

# Answers in annotator order (n never, u unclear), jagt, jagt-published, agreement.
MIXED = [
    ("n n n n u", -1, -1, "unanimous-never"),
    ("n n n 10 20", -1, -1, "mostly-never"),
    ("n n 10 60 u", None, None, "tied"),
    ("u u u u u", None, None, "too-few"),
    ("", None, None, "too-few"),
    ("n n 10 60 110", 60, 60, "clustered"),
    ("n 111 110 60 10", 110, 110, "clustered"),
    ("111 110 u 60 10 2000", 110, 60, "clustered"),
    ("u n u 10 60", 60, 60, "scattered"),
    ("7 u u u u", 7, 7, "scattered"),
    ("10 20 30 500 510 520", 510, 510, "clustered"),
    ("10 20 30 40 50 60", 40, 40, "clustered"),
]


def steady_marks(indices: Sequence[int]) -> list[RecipeMark]:
    return [
        RecipeMark(f"a{number}", "steady", index) for number, index in enumerate(indices, start=1)
    ]


def mark(place: int, word: str) -> RecipeMark:
    if word in "nu":
        return RecipeMark(f"a{place}", "never" if word == "n" else "unclear")
    return RecipeMark(f"a{place}", "steady", int(word))


def answers(text: str) -> list[RecipeMark]:
    return [mark(place, word) for place, word in enumerate(text.split(), start=1)]


@pytest.mark.parametrize(("indices", "size", "jagt", "published_start"), FIVE)
def test_five_steady_marks_give_the_worked_answer(
    indices: Sequence[int], size: int, jagt: int, published_start: int
) -> None:
    truth = aggregate("jagt", steady_marks(indices), complete=True)
    published_answer = aggregate("jagt-published", steady_marks(indices), complete=True)

    assert (truth.steady_start, published_answer.steady_start) == (jagt, published_start)
    assert truth.cluster == published_answer.cluster
    assert len(truth.cluster) == size
    assert truth.agreement == ("clustered" if size else "scattered")
    assert truth.spread == max(indices) - min(indices)


@pytest.mark.parametrize(("text", "jagt", "published_start", "agreement"), MIXED)
def test_never_and_unclear_follow_the_rules_of_the_vote(
    text: str, jagt: int | None, published_start: int | None, agreement: str
) -> None:
    truth = aggregate("jagt", answers(text), complete=True)
    published_answer = aggregate("jagt-published", answers(text), complete=True)

    assert (truth.value, published_answer.value) == (jagt, published_start)
    assert (truth.agreement, published_answer.agreement) == (agreement, agreement)


@pytest.mark.parametrize(
    ("text", "answer"), [("n n 5", "never"), ("5 n", "undecided"), ("0", "steady")]
)
def test_the_answer_is_a_word_of_the_csv(text: str, answer: str) -> None:
    assert aggregate("jagt", answers(text), complete=True).answer == answer


def test_zero_is_an_iteration_and_not_an_open_answer() -> None:
    assert aggregate("jagt", answers("0 0 0 0 0"), complete=True) == RecipeAnswer(
        steady=True,
        steady_start=0,
        agreement="clustered",
        spread=0,
        cluster=("a1", "a2", "a3", "a4", "a5"),
    )


def test_the_spread_of_steady_marks_is_told_also_where_never_won() -> None:
    assert aggregate("jagt", answers("n n n 10 20"), complete=True).spread == 10
    assert aggregate("jagt", answers("n n n"), complete=True).spread is None


def test_an_open_answer_makes_the_result_provisional_and_undecided_outside() -> None:
    truth = aggregate("jagt", answers("10 20 30"), complete=False)

    assert (truth.provisional, truth.steady_start, truth.agreement) == (True, 20, "clustered")
    assert truth.settled() == RecipeAnswer(
        steady=None, steady_start=None, agreement="incomplete", spread=20, provisional=True
    )
    assert truth.settled().answer == "undecided"


def test_a_final_answer_is_settled_as_it_is() -> None:
    truth = aggregate("jagt", answers("10 20 30"), complete=True)

    assert truth.settled() is truth


def test_a_border_mark_between_two_clusters_joins_the_lower_one() -> None:
    # 50 is within 10 of 40 and of 60 but has only 3 neighbours: border of both clusters.
    indices = (60, 62, 64, 66, 50, 34, 36, 38, 40)

    truth = aggregate("jagt", steady_marks(indices), {"eps": 10, "min_samples": 4}, complete=True)

    assert truth.cluster == ("a5", "a6", "a7", "a8", "a9")
    assert truth.steady_start == 38


def test_the_published_recipe_takes_the_third_annotator_in_natural_order() -> None:
    marks = [
        RecipeMark(name, "steady", index)
        for name, index in (("a10", 60), ("a2", 111), ("a3", 110), ("a9", 10), ("a11", 2000))
    ]

    # In natural order a2, a3, a9, a10: the third of the cluster is a9.
    assert aggregate("jagt-published", marks, complete=True).steady_start == 10


def test_settings_of_a_campaign_change_the_cluster() -> None:
    marks = steady_marks((100, 150, 201, 900, 1500))

    assert aggregate("jagt", marks, {"eps": 51}, complete=True).steady_start == 150
    assert aggregate("jagt", marks, {"eps": "51"}, complete=True).agreement == "clustered"
    assert aggregate("jagt", marks, {"min_samples": 6}, complete=True).agreement == "scattered"


def test_the_stored_key_writes_defaults_out() -> None:
    assert get("jagt").key() == "jagt@1?eps=50&min_samples=3"
    assert get("jagt-published").params_text({"min_samples": 4}) == "eps=50&min_samples=4"


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"epsilon": 3}, "no parameter 'epsilon'; there are: eps, min_samples"),
        ({"eps": 0}, "eps: found 0, expected a whole number from 1 to 1000000"),
        ({"eps": 1.5}, "eps: found 1.5, expected a whole number from 1 to 1000000"),
        ({"eps": float("inf")}, "eps: found inf, expected a whole number from 1 to 1000000"),
        ({"eps": True}, "eps: found True, expected a whole number from 1 to 1000000"),
        ({"min_samples": "x"}, "min_samples: found 'x', expected a whole number from 1 to 1000"),
    ],
)
def test_a_wrong_parameter_is_refused_by_name(params: Mapping[str, object], message: str) -> None:
    with pytest.raises(RecipeParameterError) as complaint:
        aggregate("jagt", [], params, complete=True)

    assert str(complaint.value) == message


def test_an_unknown_recipe_is_told_which_there_are() -> None:
    with pytest.raises(UnknownRecipe) as complaint:
        get("mean")

    assert str(complaint.value) == (
        "no recipe 'mean'; there are: jagt, jagt-published, median, majority-cluster"
    )


@pytest.mark.parametrize(
    ("kind", "index", "message"),
    [
        ("maybe", None, "mark of a1: found kind 'maybe', expected steady, never, unclear"),
        (
            "never",
            3,
            "mark of a1: found never with index 3, expected an index for steady and none otherwise",
        ),
        (
            "steady",
            None,
            (
                "mark of a1: found steady with index None, "
                "expected an index for steady and none otherwise"
            ),
        ),
        ("steady", -1, "mark of a1: found index -1, expected 0 or more"),
    ],
)
def test_a_mark_that_contradicts_itself_is_refused(
    kind: Any, index: int | None, message: str
) -> None:
    with pytest.raises(ValueError, match="mark of a1") as complaint:
        RecipeMark("a1", kind, index)

    assert str(complaint.value) == message


def test_both_recipes_equal_the_published_values() -> None:
    """`expected.json` of the published data: 264 series with five marks each."""
    records = json.loads((replication_folder() / "expected.json").read_text())
    marked_records = [record for record in records if record["marks"]]

    for record in marked_records:
        marks = [RecipeMark(name, "steady", index) for name, index in record["marks"].items()]
        truth = aggregate("jagt", marks, complete=True)
        published_answer = aggregate("jagt-published", marks, complete=True)

        assert truth.steady_start == record["jagt"]
        assert published_answer.steady_start == record["jagt_published"]
        assert truth.agreement == ("clustered" if record["clustered"] else "scattered")
        mark_labels = zip(record["marks"], record["cluster_labels"], strict=True)
        assert truth.cluster == tuple(name for name, label in mark_labels if label >= 0)
    assert len(marked_records) == 264
