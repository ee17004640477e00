"""The contract as small checks, shipped so that anybody can run them on their own detector.

`python -m detectors check package.module:Class` runs all that apply. A check gets a detector
and a series as `as_series` gives it, and raises `ContractBroken` with one sentence.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from detectors.contract import (
    NEVER,
    Context,
    DeclaredParameter,
    Detection,
    Detector,
    DetectorError,
    OnlineDetector,
    ParameterError,
    ParameterKind,
    TooLong,
    TooShort,
    Values,
    as_json,
    as_series,
)
from detectors.contract.evidence import Bands, Curve, Events, Evidence, Figures, Levels
from detectors.registry import registry
from detectors.simulated.synthetic import simulate

Check = Callable[[Detector, Values], None]


class ContractBroken(AssertionError):
    """Breach of the detector contract, in one sentence."""


def _steady_values(n: int, level: float) -> Values:
    return level * (1 + 0.01 * np.sin(np.arange(n) ** 2))


def _read_only_copy(values: Values) -> Values:
    """Copy values as a database gives a series: over bytes, which nobody can make writable."""
    return np.frombuffer(values.tobytes()) if values.size else as_series([])


DRAWN: Mapping[str, Values] = MappingProxyType(
    {
        "step": simulate("step", n=600).values,
        "drift": simulate("drift", n=600).values,
        "constant": as_series(np.full(600, 0.1)),
        "few-digits": as_series(np.arange(600) % 7 // 3 + 1.0),
        "giant": as_series(np.r_[1e9, _steady_values(599, 1e-3)]),
        "tiny": as_series(_steady_values(600, 1e-12)),
        "huge": as_series(_steady_values(600, 1e300)),
        "subnormal": as_series(np.r_[np.full(300, 2e-310), np.full(300, 1e-310)]),
        "negative": as_series(-_steady_values(600, 1.0)),
        "zeros": as_series(np.zeros(600)),
        "two": as_series([2.0, 1.0]),
        "one": as_series([1.0]),
        "none": as_series([]),
    }
)
TIMES, RATES = Context("s/op", "avgt"), Context("ops/s", "thrpt")
SMALLEST_INVERTED = 1e-300  # whose inverse is a number, too
THREADS: Final = 2  # that ask one detector at the same time

SERIES: Mapping[str, Values] = MappingProxyType(
    {name: _read_only_copy(values) for name, values in DRAWN.items()}
)


_FIRST_ANSWERS: Final[
    WeakKeyDictionary[type[Detector], dict[tuple[str, bytes], Detection | str]]
] = WeakKeyDictionary()


def answer_or_error(
    detector: Detector, values: Values, context: Context | None = None
) -> Detection | str:
    """The detection, or the sentence of the error that stands for one."""
    try:
        return _detect(detector, values, context or Context())
    except DetectorError as error:
        return f"{type(error).__name__}: {error}"


def _detect(detector: Detector, values: Values, context: Context) -> Detection:
    """The detection, whatever it is: `answer` would refuse one out of range."""
    series, read_context = detector.reads(values, context)
    detector.check_least_length(series.size)
    return detector.detect(series, read_context)


def first_answer(detector: Detector, values: Values) -> Detection | str:
    """Answer of the first check that asked for these values: most checks compare with that."""
    answers = _FIRST_ANSWERS.setdefault(type(detector), {})
    question = (detector.key, values.tobytes())
    if question not in answers:
        answers[question] = answer_or_error(detector, values)
    return answers[question]


def _require(condition: bool, sentence: str) -> None:  # noqa: FBT001  # an assertion
    if not condition:
        raise ContractBroken(sentence)


def check_declares_itself(detector: Detector, values: Values) -> None:
    for name in ("slug", "version", "title", "code", "source"):
        _require(hasattr(detector, name), f"{type(detector).__name__} does not declare {name}")
    _require(
        bool(re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", detector.slug)),
        f"slug must be lower-case words joined by -; got {detector.slug}",
    )
    _require(
        bool(re.fullmatch(r"[A-Z]{2,4}", detector.code)),
        f"code must be two to four capitals; got {detector.code}",
    )
    _require(
        bool(re.fullmatch(r"[A-Za-z0-9._-]+", detector.version)),
        f"version must be letters, digits, dots; got {detector.version!r}",
    )
    _require(bool(detector.title), "title is empty")


def check_every_parameter_says_what_it_means(detector: Detector, values: Values) -> None:
    for parameter in detector.Params.declared():
        _require(bool(parameter.help), f"{parameter.name} has no help")


def check_declared_bounds_are_kept(detector: Detector, values: Values) -> None:
    for parameter in detector.Params.declared():
        for value_beyond in _values_beyond(parameter):
            try:
                type(detector)(**{parameter.name: value_beyond})
            except ParameterError:
                continue
            raise ContractBroken(
                f"took {parameter.name}={value_beyond}, beyond the bound it declares"
            )


def _values_beyond(parameter: DeclaredParameter) -> Iterator[Any]:
    if parameter.kind in {ParameterKind.INTEGER, ParameterKind.NUMBER}:
        if parameter.low is not None:
            yield parameter.low - 1
        if parameter.high is not None:
            yield parameter.high + 1
    if parameter.kind is ParameterKind.CHOICE:
        yield "no such choice"


def check_key_names_the_answer(detector: Detector, values: Values) -> None:
    _, _, text = detector.key.partition("?")
    detector_of_key = type(detector).with_params(type(detector).Params.from_text(text))
    _require(
        detector_of_key.key == detector.key, f"{detector.key} reads back as {detector_of_key.key}"
    )
    _require(
        answer_or_error(detector_of_key, values) == first_answer(detector, values),
        f"two detectors of the key {detector.key} give two answers",
    )


def check_answer_is_in_range(detector: Detector, values: Values) -> None:
    answer = first_answer(detector, values)
    if isinstance(answer, str):
        return
    answer_type = type(answer).__name__
    _require(
        isinstance(answer, Detection),
        f"detect gave back {answer_type}, expected a Detection; write `return Detection(…)`",
    )
    for name in ("steady_start", "published_index", "decided_at"):
        index = getattr(answer, name)
        if index is not None:
            _require(type(index) is int, f"{name} must be an int; got {type(index).__name__}")
            _require(
                NEVER <= index < max(values.size, 0),
                f"{name} is {index} for a series of {values.size} values",
            )
    are_words = all(re.fullmatch(r"[a-z-]+", flag) for flag in answer.flags)
    _require(are_words, f"flags must be words; got {answer.flags}")


def check_changes_are_positions(detector: Detector, values: Values) -> None:
    answer = first_answer(detector, values)
    if isinstance(answer, str):
        return
    changes, gives_changes = answer.changes, detector.gives_changes
    _require(
        (changes is not None) == gives_changes,
        f"gives_changes is {gives_changes}, but the answer has changes {changes}",
    )
    positions = list(changes or ())
    in_order = positions == sorted(set(positions))
    _require(
        in_order and all(0 < position < values.size for position in positions),
        f"changes must rise within 1 to {values.size - 1}; got {positions}",
    )


def check_certainty_is_one(detector: Detector, values: Values) -> None:
    answer = first_answer(detector, values)
    if isinstance(answer, str):
        return
    certainty, says_certainty = answer.certainty, detector.says_certainty
    _require(
        (certainty is not None) == says_certainty,
        f"says_certainty is {says_certainty}, but the answer has certainty {certainty}",
    )
    if certainty is None:
        return
    shares = 0 <= certainty.chance <= 1 and 0 <= certainty.near <= 1
    _require(shares, f"chance and near must be from 0 to 1; got {certainty}")
    in_order = 0 <= certainty.low <= certainty.high <= values.size
    _require(in_order, f"the interval must lie within {values.size} values; got {certainty}")


def check_same_values_same_answer(detector: Detector, values: Values) -> None:
    first = first_answer(detector, values)
    _require(
        answer_or_error(detector, values) == first,
        "the same values gave two answers; draw random numbers from a `seed` parameter only",
    )


def check_leaves_the_values_alone(detector: Detector, values: Values) -> None:
    bytes_before = values.tobytes()
    answer_or_error(detector, values)
    _require(values.tobytes() == bytes_before, "the values were changed")
    _require(not values.flags.writeable, "the values were made writable")


def check_ignores_where_the_values_lie(detector: Detector, values: Values) -> None:
    shifted_buffer = np.empty(values.size + 1)[1:]  # another address, another alignment
    shifted_buffer[:] = values
    shifted_buffer.setflags(write=False)
    _require(
        answer_or_error(detector, shifted_buffer) == first_answer(detector, values),
        "the answer depends on where in memory the values lie",
    )


def check_too_short_says_how_long(detector: Detector, values: Values) -> None:
    if not str(first_answer(detector, values)).startswith(TooShort.__name__):
        return
    try:
        _detect(detector, values, Context())
    except TooShort as error:
        _require(error.got == values.size, f"TooShort says {error.got} of {values.size} values")
        _require(error.needed > values.size, f"TooShort needs {error.needed}, which there are")
    except DetectorError:
        return


def check_too_long_says_how_long(detector: Detector, values: Values) -> None:
    longest_series = detector.longest
    if longest_series is None:
        return
    detector.check_length(longest_series)
    try:
        detector.check_length(longest_series + 1)
    except TooLong as error:
        _require(
            (error.most, error.got) == (longest_series, longest_series + 1), f"TooLong says {error}"
        )
    else:
        _require(False, f"reads more than {longest_series} values, which it declares as most")  # noqa: FBT003


def check_needs_are_declared(detector: Detector, values: Values) -> None:
    answer = first_answer(detector, values)
    if isinstance(answer, str) and answer.startswith("NotAvailable"):
        _require(bool(detector.needs), f"{answer}, but the class declares no `needs`")


def check_detector_and_answer_travel(detector: Detector, values: Values) -> None:
    answer = first_answer(detector, values)
    _require(pickle.loads(pickle.dumps(answer)) == answer, "the detection does not survive pickle")  # noqa: S301
    detector_unpickled = pickle.loads(pickle.dumps(detector))  # noqa: S301  # made in this very line
    _require(detector_unpickled.key == detector.key, "the detector does not survive pickle")


def check_threads_agree(detector: Detector, values: Values) -> None:
    expected = first_answer(detector, values)
    with ThreadPoolExecutor(THREADS) as threads:
        thread_answers = list(
            threads.map(lambda _: answer_or_error(detector, values), range(THREADS))
        )
    _require(
        all(thread_answer == expected for thread_answer in thread_answers),
        "threads that share it get other answers",
    )


def check_evidence_can_be_drawn(detector: Detector, values: Values) -> None:
    try:
        evidence = detector.explained(values, Context())
    except DetectorError:
        return
    _require(isinstance(evidence, tuple), "evidence must be a tuple")
    for drawing in evidence:
        _require(bool(drawing.label), f"a {type(drawing).__name__} has no label")
        as_json(drawing)
        for iteration in _places(drawing):
            _require(
                0 <= iteration <= values.size,
                f"evidence {drawing.label!r} lies at {iteration} of {values.size} values",
            )


def _places(evidence: Evidence) -> Iterator[int]:
    if isinstance(evidence, Curve):
        x = range(evidence.y.size) if evidence.x is None else evidence.x.tolist()
        _require(
            len(x) == evidence.y.size, f"{evidence.label!r} has {len(x)} places for its values"
        )
        yield from x
    elif isinstance(evidence, Bands):
        yield from (iteration for span in evidence.spans for iteration in span)
    elif isinstance(evidence, Levels):
        yield from (iteration for start, stop, _ in evidence.pieces for iteration in (start, stop))
    elif isinstance(evidence, Events):
        yield from evidence.at
    else:
        _require(isinstance(evidence, Figures), f"{evidence!r} is no kind of evidence")


def check_evidence_agrees_with_the_answer(detector: Detector, values: Values) -> None:
    """Asking for evidence must not change the next answer."""
    expected = first_answer(detector, values)
    try:
        detector.explained(values, Context())
    except DetectorError as error:
        _require(isinstance(expected, str), f"answers, but its evidence fails: {error}")
    _require(
        answer_or_error(detector, values) == expected, "asking for evidence changed the answer"
    )


def check_online_ends_with_the_same_answer(detector: Detector, values: Values) -> None:
    if not isinstance(detector, OnlineDetector):
        return
    expected = first_answer(detector, values)
    for size in (1, 7, 64, max(values.size, 1)):
        online_answer = _read_online(detector, values, size)
        _require(
            online_answer == expected,
            f"in batches of {size} it ends with {online_answer}, at once with {expected}",
        )


def check_rates_are_read_as_declared(detector: Detector, values: Values) -> None:
    """Check that rates have the answer of the series: of 1/x, or turned round, by convention."""
    if detector.rates == "inverse" and values.size and values.min() > SMALLEST_INVERTED:
        rates = as_series(1 / values)
        times, twin = as_series(1 / rates), answer_or_error(detector, rates, RATES)
        _require(
            twin == answer_or_error(detector, times, TIMES),
            "1/x as rates has another answer than x",
        )
    if detector.rates == "free" and not isinstance(
        twin := answer_or_error(detector, -values, RATES), str
    ):
        _require(twin == answer_or_error(detector, values, TIMES), "-x has another answer than x")


def _read_online(detector: OnlineDetector[Any], values: Values, size: int) -> Detection | str:
    try:
        state = detector.start(Context())
        for begin in range(0, values.size, size):
            decision = detector.update(state, values[begin : begin + size])
            _require(decision.n <= begin + size, "a decision lies ahead of the values that it had")
        last = detector.finish(state).detection
    except DetectorError as error:
        return f"{type(error).__name__}: {error}"
    _require(last is not None, "finish gave no answer")
    return last  # type: ignore[return-value]  # required above


CHECKS: tuple[Check, ...] = (
    check_declares_itself,
    check_every_parameter_says_what_it_means,
    check_declared_bounds_are_kept,
    check_key_names_the_answer,
    check_answer_is_in_range,
    check_changes_are_positions,
    check_certainty_is_one,
    check_same_values_same_answer,
    check_leaves_the_values_alone,
    check_ignores_where_the_values_lie,
    check_too_short_says_how_long,
    check_too_long_says_how_long,
    check_needs_are_declared,
    check_detector_and_answer_travel,
    check_threads_agree,
    check_evidence_can_be_drawn,
    check_evidence_agrees_with_the_answer,
    check_online_ends_with_the_same_answer,
    check_rates_are_read_as_declared,
)


class BrokenCheck(NamedTuple):
    """One check that a detector does not pass on one series, and the sentence that says how."""

    check: str
    series: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.check} ({self.series}): {self.sentence}"


def broken_lines(detector: type[Detector]) -> Iterator[str]:
    """Lines of broken checks, one for each check and series; none if the contract holds."""
    return map(str, failures(detector))


def failures(detector: type[Detector]) -> Iterator[BrokenCheck]:
    """Run all checks on all series and yield the broken ones."""
    try:
        instance = detector()
    except Exception as error:  # noqa: BLE001  # whatever it raises is its failure, to be shown
        yield BrokenCheck("making it", "with defaults", f"{type(error).__name__}: {error}")
        return
    for check in CHECKS:
        for name, values in SERIES.items():
            try:
                check(instance, values)
            except ContractBroken as error:
                yield BrokenCheck(check.__name__, name, str(error))
            except Exception as error:  # noqa: BLE001  # whatever it raises is its failure, to be shown
                yield BrokenCheck(check.__name__, name, f"{type(error).__name__}: {error}")


def summary_lines(failures: Iterable[BrokenCheck]) -> list[str]:
    """A line for each sentence, with the checks and the series on which they fell.

    One cause often makes many checks fall; the first of them names it.
    """
    series: dict[tuple[str, str], list[str]] = {}
    for failure in failures:
        series.setdefault((failure.check, failure.sentence), []).append(failure.series)
    checks: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (check, sentence), names in series.items():
        checks.setdefault((sentence, tuple(names)), []).append(check)
    lines = []
    for (sentence, fallen_on), fallen_checks in checks.items():
        series_words = "every series" if len(fallen_on) == len(SERIES) else ", ".join(fallen_on)
        lines.append(f"{_checks_words(fallen_checks)} ({series_words}): {sentence}")
    return lines


def _checks_words(checks: Sequence[str]) -> str:
    first, *further_checks = checks
    if not further_checks:
        return first
    return f"{first} and {len(further_checks)} other check{'s' * (len(further_checks) > 1)}"


def clashes(detector: type[Detector]) -> list[str]:
    """List names of this detector that another method has: installed beside it, one would be
    refused.
    """
    other_methods = [other for other in registry().values() if not _is_same_method(other, detector)]
    return [
        f"{name} {getattr(other, name)!r} is that of {other.title} already; take another"
        for name in ("slug", "code", "slot")
        for other in other_methods
        if getattr(other, name) is not None
        and getattr(detector, name, None) == getattr(other, name)
    ]


def _is_same_method(first: type[Detector], second: type[Detector]) -> bool:
    """True for one class, perhaps loaded twice: by an entry point and from its file."""
    if first is second:
        return True
    return first.__qualname__ == second.__qualname__ and first.__module__ == second.__module__
