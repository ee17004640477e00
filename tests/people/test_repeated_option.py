"""Options that take several values have one grammar, in every command."""

from __future__ import annotations

from argparse import Action, ArgumentParser
from collections.abc import Iterator

import pytest
from django.core.management import get_commands, load_command_class

from people.repeated_option import add_option

ROOMS = ("analysis", "annotate", "people", "series")


def options_with_several_values() -> Iterator[tuple[str, Action]]:
    for name, room in get_commands().items():
        if str(room).startswith(ROOMS):
            parser = load_command_class(str(room), name).create_parser("manage.py", name)
            for action in parser._actions:
                if action.option_strings and isinstance(action.default, list):
                    yield name, action


@pytest.mark.parametrize("words", ["--method a b --method c", "--method a --method b c"])
def test_values_stand_behind_one_option_or_behind_several(words: str) -> None:
    parser = ArgumentParser()
    add_option(parser, "--method", "SLUG", "methods")

    assert parser.parse_args(words.split()).method == ["a", "b", "c"]
    assert parser.parse_args([]).method == []


def test_commands_share_the_grammar() -> None:
    reference = ArgumentParser()
    add_option(reference, "--method", "SLUG", "methods")
    (expected,) = (type(action) for action in reference._actions if action.dest == "method")

    repeated_options = [*options_with_several_values()]

    assert {"comparison", "detections", "nightly", "report", "run"} <= {
        name for name, _ in repeated_options
    }
    assert {action.nargs for _, action in repeated_options} == {"+"}
    assert {type(action) for _, action in repeated_options} == {expected}
