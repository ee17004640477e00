"""Ensemble: what most of some other detectors say, or the middle of what they say.

A method of Plateau's own, after the rule by which people's marks become ground truth: the
answer is always one that a member gave, never an average that nobody saw.
"""

from __future__ import annotations

from dataclasses import dataclass

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.contract import DetectorError, ParameterError, TooShort
from detectors.contract.parameters import parameter_text
from detectors.registry import UnknownDetector, canonical_key, from_key

MEMBERS = ("jumpavg", "kb-kssd", "mser")  # of three kinds, and quick
QUORUM = 2  # members that must answer


class FewAnswered(DetectorError):
    """Fewer than two members have an answer; the sentence says what the others lack."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__(reasons)
        self.reasons = reasons

    def __str__(self) -> str:
        return f"fewer than {QUORUM} members answer: {'; '.join(self.reasons)}"


class FewLongEnough(TooShort):
    """Refusal like `FewAnswered`, for a series that would suffice if it were longer."""

    def __init__(self, needed: int, got: int, reasons: tuple[str, ...]) -> None:
        super().__init__(needed, got)
        self.args, self.reasons = (needed, got, reasons), reasons

    def __str__(self) -> str:
        return f"{super().__str__()} ({'; '.join(self.reasons)})"


@dataclass(frozen=True, slots=True)
class MemberAnswer:
    """One member's answer, or the error that it raised instead."""

    detector: Detector
    start: int | None = None
    error: DetectorError | None = None


class Ensemble(Detector):
    slug, version = "ensemble", "1"
    title = "Ensemble"
    code, slot = "EN", 21
    source = Source("Plateau; no publication")
    family = "Combinations"
    rates = "own"
    rates_note = "Each member reads rates by the convention on its page, and the rule is the same."
    cost = "quick"

    class Params(Detector.Params):
        members: tuple[str, ...] = parameter(
            MEMBERS,
            low=QUORUM,
            high=50,
            help="Keys of the detectors that are asked, separated by commas.",
        )
        rule: str = parameter(
            "median",
            choices=("median", "majority"),
            help="The median steady answer, or the median of the largest group that agrees.",
        )
        tolerance: float = parameter(
            0.05,
            low=0.0,
            high=1.0,
            unit="share of n",
            help="Majority only: answers no further apart than this agree.",
        )

        def check(self) -> None:
            # The defaults are read before there is a registry to ask.
            if self.members != MEMBERS:
                full_keys(self.members)

        def texts(self) -> dict[str, str]:
            """Texts of the parameters, with each member in full: its version and its parameters
            count.
            """
            return {**super().texts(), "members": parameter_text(full_keys(self.members))}

    params: Params

    def detect(self, values: Values, context: Context) -> Detection:
        members = self._member_answers(values, context)
        starts = sorted(member.start for member in members if member.start is not None)
        if len(starts) < QUORUM:
            raise too_few_error(members, values.size)
        steady_starts = [start for start in starts if start != NEVER]
        never_count = len(starts) - len(steady_starts)
        if never_count > len(steady_starts):
            return Detection(NEVER)
        start, flags = self._combined_start(steady_starts, values.size)
        return Detection(
            start, flags=("tied", *flags) if never_count == len(steady_starts) else flags
        )

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        members = self._member_answers(values, context)
        start_by_member = {
            member.detector: member.start for member in members if member.start is not None
        }
        steady_start_by_member = {
            member: start for member, start in start_by_member.items() if start != NEVER
        }
        return (
            draw.Events(
                tuple(steady_start_by_member.values()),
                label="members' answers",
                notes=tuple(member.code for member in steady_start_by_member),
                meaning="Where each member that says steady begins.",
            ),
            draw.Figures(
                tuple(
                    (member.detector.key, str(member.error), "")
                    if member.start is None
                    else (member.detector.key, member.start, "")
                    for member in members
                ),
                label="members",
                meaning="Every member's answer, also those without an iteration.",
            ),
        )

    def _member_answers(self, values: Values, context: Context) -> list[MemberAnswer]:
        return [ask_member(from_key(key), values, context) for key in self.params.members]

    def _combined_start(self, steady_starts: list[int], n: int) -> tuple[int, tuple[str, ...]]:
        if self.params.rule == "median":
            return middle_answer(steady_starts), ()
        group = largest_group(steady_starts, self.params.tolerance * n)
        if 2 * len(group) > len(steady_starts):
            return middle_answer(group), ()
        return middle_answer(steady_starts), ("scattered",)


def full_keys(members: tuple[str, ...]) -> tuple[str, ...]:
    """The members' full keys, each once; raises `ParameterError`."""
    try:
        keys = tuple(canonical_key(member) for member in members)
    except UnknownDetector as error:
        raise ParameterError(f"members: {error}") from None
    for key_index, key in enumerate(keys):
        if key in keys[:key_index]:
            raise ParameterError(f"members must differ; got {members[key_index]} twice")
    return keys


def ask_member(detector: Detector, values: Values, context: Context) -> MemberAnswer:
    """Ask `detector` about `values`; keep its refusal."""
    try:
        return MemberAnswer(detector, start=detector.answer(values, context).steady_start)
    except DetectorError as error:
        return MemberAnswer(detector, error=error)


def too_few_error(members: list[MemberAnswer], n: int) -> DetectorError:
    """Build the refusal of too few answers; with the least length, if length is all that is
    missing.
    """
    answer_count = sum(member.start is not None for member in members)
    reasons = tuple(
        f"{member.detector.slug}: {member.error}" for member in members if member.error is not None
    )
    lengths = sorted(
        member.error.needed for member in members if isinstance(member.error, TooShort)
    )
    missing_count = QUORUM - answer_count
    if len(lengths) < missing_count:
        return FewAnswered(reasons)
    return FewLongEnough(lengths[missing_count - 1], n, reasons)


def middle_answer(starts: list[int]) -> int:
    """The middle of sorted answers; of the two middle ones the later."""
    return starts[len(starts) // 2]


def largest_group(starts: list[int], tolerance: float) -> list[int]:
    """The largest run of sorted answers no further apart than `tolerance`; of equals the last."""
    groups = [
        [later_start for later_start in starts[start_index:] if later_start - start <= tolerance]
        for start_index, start in enumerate(starts)
    ]
    return max(reversed(groups), key=len)
