"""Types and bounds of options that several commands take."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from django.core.management.base import CommandError

MOST: Final = 10_000_000  # iterations


def integer_type(low: int, high: int = MOST) -> Callable[[str], int]:
    """The type of an option that takes a whole number from `low` to `high`."""

    def read(text: str) -> int:
        digits = text.removeprefix("-")
        number = int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None
        if number is None or not low <= number <= high:
            raise ArgumentTypeError(f"found {text!r}, expected a whole number from {low} to {high}")
        return number

    return read


def text_type(max_length: int) -> Callable[[str], str]:
    """The type of an option that takes so many characters."""

    def read(text: str) -> str:
        if len(text) > max_length:
            raise ArgumentTypeError(f"found {len(text)} characters, expected at most {max_length}")
        return text

    return read


@contextmanager
def mistakes(*errors: type[Exception]) -> Iterator[None]:
    """End the command with the error's sentence and status 2 where one of `errors` is raised."""
    try:
        yield
    except errors as error:
        raise CommandError(str(error), returncode=2) from error


SEEDS = integer_type(0, 2**32 - 1)
NAMES = text_type(120)  # names of runs and explorations
