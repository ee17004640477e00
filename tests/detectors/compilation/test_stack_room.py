"""Frames of deep calls find mapped memory."""

from __future__ import annotations

import resource

from detectors.compilation.stack_room import with_stack_room

DEPTHS, REPEATS = range(400), 200


def page_faults_of_calls() -> int:
    """Count pages that calls at each of many depths had mapped."""
    faults_before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for depth in DEPTHS:
        call_at(depth)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults_before


def call_at(depth: int) -> None:
    if depth:
        call_at(depth - 1)
    else:
        for _ in range(REPEATS):
            call_nothing()


def call_nothing() -> None: ...


def test_no_depth_has_memory_mapped_for_each_call() -> None:
    assert with_stack_room(page_faults_of_calls)() < REPEATS


def test_the_function_keeps_its_name_and_gets_its_arguments() -> None:
    assert with_stack_room(divmod)(7, 2) == (3, 1)
    assert with_stack_room(call_at).__name__ == "call_at"
