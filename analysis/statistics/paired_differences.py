"""Two methods against one yardstick: which questions there are, and what the tests answer.

Each question has one default test; the others answer the same question under other conditions.
All p-values of a pair are adjusted together (Benjamini-Hochberg), and each result says in one
sentence what its figures mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from analysis.statistics.answers import Answers, Bools, Floats, errors, same_series
from analysis.statistics.effect_sizes import magnitude_either_way, vargha_delaney
from analysis.statistics.multiple_comparisons import ALPHA, benjamini_hochberg
from analysis.statistics.signed_ranks import signed_rank

if TYPE_CHECKING:  # SciPy's statistics take seconds to load, and only a pair needs them
    from analysis.statistics.paired_tests import McNemar, SignificanceTest, SymmetryTest

Question = Literal["closer", "sooner", "spread", "distribution", "decision"]
ErrorKind = Literal["absolute", "signed", "yes/no"]
Test = Literal[
    "sign",
    "wilcoxon",
    "levene",
    "levene-mean",
    "cramer-von-mises",
    "kolmogorov-smirnov",
    "anderson-darling",
    "mcnemar-exact",
    "mcnemar",
]

QUESTIONS: Final[Mapping[Question, str]] = {
    "closer": "Which is closer to the yardstick?",
    "sooner": "Which answers sooner?",
    "spread": "Whose errors scatter more?",
    "distribution": "Are the errors distributed alike?",
    "decision": "Which is right more often, steady or never?",
}
TESTS: Final[Mapping[Test, str]] = {
    "sign": "Sign",
    "wilcoxon": "Wilcoxon signed rank",
    "levene": "Levene (distances from the median)",
    "levene-mean": "Levene (distances from the mean)",
    "cramer-von-mises": "Cramér–von Mises",
    "kolmogorov-smirnov": "Kolmogorov–Smirnov",
    "anderson-darling": "Anderson–Darling",
    "mcnemar-exact": "McNemar, exact",
    "mcnemar": "McNemar",
}
PAIR_TESTS: Final[tuple[tuple[Question, Test, ErrorKind], ...]] = (
    ("closer", "sign", "absolute"),
    ("closer", "wilcoxon", "absolute"),
    ("sooner", "sign", "signed"),
    ("sooner", "wilcoxon", "signed"),
    ("spread", "levene", "signed"),
    ("spread", "levene-mean", "signed"),
    ("spread", "levene", "absolute"),
    ("spread", "levene-mean", "absolute"),
    ("distribution", "cramer-von-mises", "signed"),
    ("distribution", "kolmogorov-smirnov", "signed"),
    ("distribution", "anderson-darling", "signed"),
    ("distribution", "cramer-von-mises", "absolute"),
    ("distribution", "kolmogorov-smirnov", "absolute"),
    ("distribution", "anderson-darling", "absolute"),
    ("decision", "mcnemar-exact", "yes/no"),
    ("decision", "mcnemar", "yes/no"),
)
"""The first test of each question is its default."""

FIVE_TESTS: Final[frozenset[tuple[Test, ErrorKind]]] = frozenset(
    {
        ("sign", "signed"),
        ("cramer-von-mises", "signed"),
        ("kolmogorov-smirnov", "signed"),
        ("anderson-darling", "signed"),
        ("levene", "signed"),
    }
)
"""The tests that KB-KSSD's paper adjusts together (Beseda et al. 2025, Table 1)."""

DEFAULTS: Final = frozenset(
    next(test for test in PAIR_TESTS if test[0] == question) for question in QUESTIONS
)


@dataclass(frozen=True, slots=True)
class PairedTestResult:
    """One test of one question.

    of          what is tested: errors, absolute errors, or being right about steady or never
    n           series that it rests on
    p_adjusted  Benjamini-Hochberg over all results of the pair; None like p where undefined
    p_of_five   the same over the five tests of FIVE_TESTS alone; None of every other test
    differ      p_adjusted < alpha
    """

    question: Question
    test: Test
    of: ErrorKind
    default: bool
    n: int
    statistic: float | None
    p: float | None
    p_adjusted: float | None
    p_of_five: float | None
    differ: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class EffectSize:
    """Size of a difference of |error|, whatever its p.

    rank_biserial  matched pairs, -1 to 1, positive: the first is closer (Kerby 2014)
    a12            Vargha & Delaney 2000: the chance that the first errs less on series drawn
                   blindly, a tie counting half; 0.5 is no difference
    """

    rank_biserial: float | None
    a12: float | None
    sentence: str


@dataclass(frozen=True, slots=True)
class PairTests:
    """Everything that is tested about two methods.

    n          series on which both and the yardstick say steady; n_yes_no: all have an answer
    skew       symmetry of the paired differences, by what is tested
    joint      both, one, or none right about steady or never
    """

    first: str
    second: str
    n: int
    n_yes_no: int
    alpha: float
    results: tuple[PairedTestResult, ...]
    effect: EffectSize
    skew: Mapping[ErrorKind, SymmetryTest]
    skew_sentence: str
    joint: McNemar

    @property
    def defaults(self) -> tuple[PairedTestResult, ...]:
        """One result a question."""
        return tuple(result for result in self.results if result.default)


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Errors of both on the same series, and how often who is right."""

    names: tuple[str, str]
    signed_errors: tuple[Floats, Floats]
    joint: McNemar

    def errors(self, error_kind: ErrorKind) -> tuple[Floats, Floats]:
        first_errors, second_errors = self.signed_errors
        return (
            (np.abs(first_errors), np.abs(second_errors))
            if error_kind == "absolute"
            else (first_errors, second_errors)
        )

    def difference(self, error_kind: ErrorKind) -> Floats:
        first_errors, second_errors = self.errors(error_kind)
        return first_errors - second_errors


def pair_tests(
    first: tuple[str, Answers],
    second: tuple[str, Answers],
    truth: Answers,
    *,
    distances: Bools | None = None,
    yes_no: Bools | None = None,
    alpha: float = ALPHA,
) -> PairTests:
    """All tests of two methods, named as in the sentences.

    `distances`, `yes_no`: masks of the series that may count; of these count those on which both
    methods and the yardstick are steady, and have an answer.
    """
    same_series([first[1], second[1], truth])
    (first_name, a), (second_name, b) = first, second
    steady_mask, answered_mask = truth.steady & a.steady & b.steady, truth.given & a.given & b.given
    steady_mask = steady_mask if distances is None else steady_mask & distances
    answered_mask = answered_mask if yes_no is None else answered_mask & yes_no
    return from_errors(
        (first_name, second_name),
        (errors(a, truth)[steady_mask], errors(b, truth)[steady_mask]),
        ((a.steady == truth.steady)[answered_mask], (b.steady == truth.steady)[answered_mask]),
        alpha=alpha,
    )


def from_errors(
    names: tuple[str, str],
    signed_errors: tuple[Floats, Floats],
    right_masks: tuple[Bools, Bools],
    *,
    alpha: float = ALPHA,
) -> PairTests:
    """Run all tests from signed errors (float64, aligned) and masks of right answers (bool,
    aligned).
    """
    from analysis.statistics import paired_tests  # noqa: PLC0415

    pair = _Pair(names, signed_errors, paired_tests.mcnemar(*right_masks))
    test_outcomes = [_perform_test(pair, test, error_kind) for _, test, error_kind in PAIR_TESTS]
    adjusted_ps = benjamini_hochberg([test_outcome.p for test_outcome in test_outcomes])
    adjusted_five = benjamini_hochberg(
        [
            test_outcome.p if (test, error_kind) in FIVE_TESTS else None
            for (_, test, error_kind), test_outcome in zip(PAIR_TESTS, test_outcomes, strict=True)
        ]
    )
    skew: dict[ErrorKind, SymmetryTest] = {
        "absolute": paired_tests.symmetry(pair.difference("absolute")),
        "signed": paired_tests.symmetry(pair.difference("signed")),
    }
    return PairTests(
        *names,
        n=signed_errors[0].size,
        n_yes_no=right_masks[0].size,
        alpha=alpha,
        results=tuple(
            _result(pair, question_test, test_outcome, adjusted_ps=(p, p_five), alpha=alpha)
            for question_test, test_outcome, p, p_five in zip(
                PAIR_TESTS, test_outcomes, adjusted_ps, adjusted_five, strict=True
            )
        ),
        effect=_effect(pair),
        skew=skew,
        skew_sentence=skew_sentence(skew["absolute"]),
        joint=pair.joint,
    )


def _perform_test(pair: _Pair, test: Test, error_kind: ErrorKind) -> SignificanceTest:
    from analysis.statistics import paired_tests  # noqa: PLC0415

    if test == "mcnemar-exact":
        return paired_tests.SignificanceTest(float(pair.joint.only_first), pair.joint.p_exact)
    if test == "mcnemar":
        return paired_tests.SignificanceTest(pair.joint.statistic, pair.joint.p)
    if test == "sign":
        signs = paired_tests.sign_test(pair.difference(error_kind))
        return paired_tests.SignificanceTest(signs.statistic, signs.p)
    if test == "wilcoxon":
        wilcoxon_test = paired_tests.wilcoxon(pair.difference(error_kind))
        return paired_tests.SignificanceTest(wilcoxon_test.statistic, wilcoxon_test.p)
    two_sample_tests: Mapping[Test, Callable[[Floats, Floats], SignificanceTest]] = {
        "levene": paired_tests.levene,
        "levene-mean": lambda a, b: paired_tests.levene(a, b, centre="mean"),
        "cramer-von-mises": paired_tests.cramer_von_mises,
        "kolmogorov-smirnov": paired_tests.kolmogorov_smirnov,
        "anderson-darling": paired_tests.anderson_darling,
    }
    return two_sample_tests[test](*pair.errors(error_kind))


def _result(
    pair: _Pair,
    question_test: tuple[Question, Test, ErrorKind],
    outcome: SignificanceTest,
    *,
    adjusted_ps: tuple[float | None, float | None],
    alpha: float,
) -> PairedTestResult:
    """Build the result of one test, in the order of its fields."""
    p, _ = adjusted_ps
    methods_differ = p is not None and p < alpha
    right_count, first_count, second_count, neither_count, *_ = pair.joint
    n = (
        right_count + first_count + second_count + neither_count
        if question_test[2] == "yes/no"
        else pair.signed_errors[0].size
    )
    sentence = _sentence(pair, question_test, p, methods_differ=methods_differ)
    return PairedTestResult(
        *question_test,
        question_test in DEFAULTS,
        n,
        *outcome,
        *adjusted_ps,
        methods_differ,
        sentence,
    )


# --- sentences --------------------------------------------------------------------------------
def p_words(p: float) -> str:
    """`p = 0.018`, or `p < 0.001` below."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _sentence(
    pair: _Pair,
    question_test: tuple[Question, Test, ErrorKind],
    p: float | None,
    *,
    methods_differ: bool,
) -> str:
    question, test, error_kind = question_test
    if p is None:
        return _nothing_sentence(pair, question)
    if question == "decision":
        return _decision_sentence(pair, p, methods_differ=methods_differ)
    if question == "spread":
        return _spread_sentence(pair, error_kind, p, methods_differ=methods_differ)
    if question == "distribution":
        return _distribution_sentence(pair, error_kind, p, methods_differ=methods_differ)
    write_sentence = _ranks_sentence if test == "wilcoxon" else _signs_sentence
    return write_sentence(pair, question, error_kind, p, methods_differ=methods_differ)


def _nothing_sentence(pair: _Pair, question: Question) -> str:
    both_names = " and ".join(pair.names)
    if question == "decision":
        return f"{both_names} are right and wrong on the same series: nothing to test."
    if pair.signed_errors[0].size < 2:
        return f"{pair.signed_errors[0].size} series with two errors are too few to test."
    return f"The errors of {both_names} leave nothing to test: they do not vary."


CHANCE: Final[Mapping[bool, str]] = {
    True: "more than chance would give",
    False: "no more than chance can give",
}


def _signs_sentence(
    pair: _Pair, question: Question, error_kind: ErrorKind, p: float, *, methods_differ: bool
) -> str:
    """Positive differences are the first's larger errors, or its later answers."""
    difference = pair.difference(error_kind)
    n_smaller, n_larger = int((difference < 0).sum()), int((difference > 0).sum())
    tie_count = difference.size - n_smaller - n_larger
    first_name, second_name = pair.names
    verb = "is closer" if question == "closer" else "answers sooner"
    tie_phrase = f", and on {tie_count} they are equal" if tie_count else ""
    chance_phrase = CHANCE[methods_differ]
    return (
        f"{first_name} {verb} on {n_smaller} series, {second_name} on {n_larger}{tie_phrase}: "
        f"{chance_phrase} ({p_words(p)})."
    )


def _ranks_sentence(
    pair: _Pair, question: Question, error_kind: ErrorKind, p: float, *, methods_differ: bool
) -> str:
    effect = signed_rank(-pair.difference(error_kind)).rank_biserial or 0.0
    better_name = pair.names[0] if effect > 0 else pair.names[1]
    comparison_word = "closer" if question == "closer" else "sooner"
    if not effect:
        return f"Weighed by size, neither is {comparison_word} ({p_words(p)})."
    return (
        f"Weighed by size, {better_name} is {comparison_word}: {CHANCE[methods_differ]} "
        f"({p_words(p)})."
    )


def _spread_sentence(pair: _Pair, error_kind: ErrorKind, p: float, *, methods_differ: bool) -> str:
    first_sd, second_sd = (float(errors.std()) for errors in pair.errors(error_kind))
    kind_words = "absolute errors" if error_kind == "absolute" else "errors"
    wider_name = pair.names[0] if first_sd > second_sd else pair.names[1]
    sd_claim = (
        f"The {kind_words} of {pair.names[0]} have a standard deviation of {first_sd:.1f} "
        f"iterations, those of {pair.names[1]} of {second_sd:.1f}"
    )
    if methods_differ:
        return f"{sd_claim}: those of {wider_name} scatter more ({p_words(p)})."
    return f"{sd_claim}: no significant difference ({p_words(p)})."


def _distribution_sentence(
    pair: _Pair, error_kind: ErrorKind, p: float, *, methods_differ: bool
) -> str:
    kind_words = "absolute errors" if error_kind == "absolute" else "errors"
    verb_phrase = "are distributed differently" if methods_differ else "do not differ significantly"
    return f"The {kind_words} of {pair.names[0]} and {pair.names[1]} {verb_phrase} ({p_words(p)})."


def _decision_sentence(pair: _Pair, p: float, *, methods_differ: bool) -> str:
    first_name, second_name = pair.names
    return (
        f"{first_name} alone is right on {pair.joint.only_first} series, {second_name} alone on "
        f"{pair.joint.only_second}: {CHANCE[methods_differ]} ({p_words(p)})."
    )


def skew_sentence(symmetry: SymmetryTest) -> str:
    """Sentence that says when Wilcoxon's test may be read as one of the median difference."""
    if symmetry.skewness is None:
        return "The differences do not vary, so there is no skewness to judge."
    skewness_words = f"skewness {symmetry.skewness:.2f}".replace("-", "−")
    if symmetry.symmetric:
        return (
            f"The differences of |Δ| are nearly symmetric ({skewness_words}): Wilcoxon's test "
            "applies."
        )
    return (
        f"The differences of |Δ| are skewed ({skewness_words}): Wilcoxon's test then weighs the "
        "long side, "
        "so the sign test is the one to read."
    )


def _effect(pair: _Pair) -> EffectSize:
    from analysis.statistics import paired_tests  # noqa: PLC0415

    first_errors, second_errors = pair.errors("absolute")
    a12 = vargha_delaney(second_errors, first_errors)
    r = paired_tests.wilcoxon(second_errors - first_errors).rank_biserial
    if a12 is None:
        return EffectSize(r, a12, "Without a series there is no effect.")
    paired_words = "" if r is None else f"; on the same series, rank-biserial r = {r:.2f}"
    return EffectSize(
        r,
        a12,
        f"On two series drawn at random {pair.names[0]} errs less than {pair.names[1]} in "
        f"{100 * a12:.0f} % of cases (A12 = {a12:.2f}, {magnitude_either_way(a12)})"
        f"{paired_words.replace('= -', '= −')}.",
    )


# --- many methods -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class RightnessTest:
    """Cochran's Q: are the methods right about steady or never equally often?"""

    methods: tuple[str, ...]
    n: int
    statistic: float | None
    degrees: int
    p: float | None
    sentence: str


def cochran(
    methods: Mapping[str, Answers],
    truth: Answers,
    *,
    yes_no: Bools | None = None,
    alpha: float = ALPHA,
) -> RightnessTest:
    """Cochran's Q over the series that the yardstick and all methods have answered."""
    from analysis.statistics.paired_tests import cochrans_q  # noqa: PLC0415

    same_series([truth, *methods.values()])
    answered_mask = truth.given if yes_no is None else truth.given & yes_no
    for answers in methods.values():
        answered_mask = answered_mask & answers.given
    n = int(answered_mask.sum())
    is_right = np.array(
        [(answers.steady == truth.steady)[answered_mask] for answers in methods.values()], np.bool_
    )
    if len(methods) < 2 or not n:
        refusal = "Cochran's Q needs two methods and a series that all have answered."
        return RightnessTest(tuple(methods), n, None, max(len(methods) - 1, 0), None, refusal)
    test = cochrans_q(is_right)
    sentence = _cochran_sentence(len(methods), test.p, alpha)
    return RightnessTest(tuple(methods), n, test.statistic, test.degrees, test.p, sentence)


def _cochran_sentence(count: int, p: float | None, alpha: float) -> str:
    if p is None:
        return f"All {count} methods are right and wrong on the same series."
    verb_phrase = "differ" if p < alpha else "do not differ"
    return f"By Cochran's Q the {count} methods {verb_phrase} in steady or never ({p_words(p)})."


def adjusted_p_values(pairs: Sequence[PairTests]) -> list[list[float | None]]:
    """Benjamini-Hochberg over every result of every pair, in their order."""
    adjusted_ps = benjamini_hochberg([result.p for pair in pairs for result in pair.results])
    adjusted_values = iter(adjusted_ps)
    return [[next(adjusted_values) for _ in pair.results] for pair in pairs]
