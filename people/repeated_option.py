"""The grammar of command options that take several values, such as `--method kb-kssd sdm`."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence


def add_option(
    parser: ArgumentParser,
    name: str,
    metavar: str | None,
    help: str,
    *,
    is_required: bool = False,
    choices: Sequence[str] | None = None,
) -> None:
    """Add an option that takes one value or more, as often as it stands: a list, empty without it.

    Values follow until the next option, so what has no option of its own stands before it.
    """
    parser.add_argument(
        name,
        metavar=metavar,
        nargs="+",
        action="extend",
        default=[],
        required=is_required,
        choices=choices,
        help=f"{help}; several, or again",
    )
