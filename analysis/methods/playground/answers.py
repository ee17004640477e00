"""A method's answer for what the playground looks at, as the page shows it."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from django.core.cache import cache

from analysis.methods.method_style import style_of
from analysis.methods.playground import calculator
from analysis.methods.playground.calculator import ChildTimeout, PlaygroundAnswer
from analysis.methods.playground.query import playground_command, short_key
from analysis.methods.playground.subjects import PlaygroundSubject
from detectors.contract import NEVER, Detector
from people.templatetags.writing import grouped

AT_ONCE: Final = 2.0  # most seconds of an answer that follows a slider
ON_REQUEST: Final = 20.0  # most seconds of an answer that a button asks for
KEPT_SECONDS: Final = 86_400  # seconds for which the answer of an example is kept
# Values up to which a method answers while a slider moves, by the cost that its class declares.
MOST_AT_ONCE: Final = {"instant": 200_000, "quick": 6_000, "slow": 0}


def kept_answer(
    detector: Detector, subject: PlaygroundSubject, *, is_pressed: bool
) -> PlaygroundAnswer:
    """The answer, kept for a day where the series is an example. Raises calculator.Busy."""
    if not subject.prepare_command:
        return playground_answer(detector, subject, is_pressed=is_pressed)
    cache_key = sha256(f"{detector.key} {subject.prepare_command}".encode()).hexdigest()
    answer: PlaygroundAnswer | None = cache.get(f"try:{cache_key}")
    if answer is None:
        answer = playground_answer(detector, subject, is_pressed=is_pressed)
        if "said" in answer.page_fields:
            cache.set(f"try:{cache_key}", answer, timeout=KEPT_SECONDS)
    return answer


def playground_answer(
    detector: Detector, subject: PlaygroundSubject, *, is_pressed: bool
) -> PlaygroundAnswer:
    """Answer as js/playground shows it. Raises calculator.Busy."""
    look = style_of(detector.key)
    page_fields = {
        "key": detector.key,
        "short": short_key(detector),
        "code": look.code,
        "title": look.title,
        "params": list(look.params),
        "slot": look.slot or 0,
        "command": playground_command(detector, subject.file),
        "prepare": subject.prepare_command,
    }
    if not (is_pressed or (subject.values.size <= MOST_AT_ONCE[detector.cost])):
        return PlaygroundAnswer({**page_fields, "waits": _wait_sentence(detector, subject)}, "[]")
    seconds = ON_REQUEST if is_pressed else AT_ONCE
    desk = calculator.on_request if is_pressed else calculator.at_once
    try:
        answer, evidence = desk.ask(detector, subject.values, subject.context, seconds=seconds)
    except ChildTimeout:
        timeout_fields = _time_out_answer(detector, subject, is_pressed=is_pressed)
        return PlaygroundAnswer({**page_fields, **timeout_fields}, "[]")
    return PlaygroundAnswer({**page_fields, **answer, **_answer_words(detector, answer)}, evidence)


def _answer_words(detector: Detector, answer: dict[str, Any]) -> dict[str, str]:
    """The answer as a sentence, or the problem as one."""
    if "too_short" in answer:
        min_iterations, given_length = answer["too_short"]
        return {
            "problem": f"{detector.title} needs at least {grouped(min_iterations)} iterations; "
            f"this series has {grouped(given_length)}."
        }
    if "too_long" in answer:
        max_iterations, given_length = answer["too_long"]
        return {
            "problem": f"{detector.title} reads at most {grouped(max_iterations)} iterations; "
            f"this series has {grouped(given_length)}."
        }
    if "problem" in answer:
        return {"problem": f"{detector.title}: {answer['problem']}."}
    start = answer["steady_start"]
    return {"said": "never steady" if start == NEVER else f"steady from {grouped(start)}"}


def _wait_sentence(detector: Detector, subject: PlaygroundSubject) -> str:
    return (
        f"{detector.title} may take seconds on {grouped(subject.values.size)} iterations: "
        f"press Detect. It is given {ON_REQUEST:.0f} s."
    )


def _time_out_answer(
    detector: Detector, subject: PlaygroundSubject, *, is_pressed: bool
) -> dict[str, str]:
    seconds = ON_REQUEST if is_pressed else AT_ONCE
    timeout_words = (
        f"{detector.title} was stopped: it took longer than {seconds:.0f} s "
        f"on {grouped(subject.values.size)} iterations."
    )
    if is_pressed:
        return {"problem": f"{timeout_words} Start a run on a worker, or use the command line."}
    return {"waits": f"{timeout_words} Press Detect to give it {ON_REQUEST:.0f} s."}
