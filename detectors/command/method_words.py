"""Methods in command lines: `--method kb-kssd sdm` names two, as `--method` twice does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from detectors.registry import registry

OPTIONS: Final = frozenset({"--method", "--run"})


def one_option_a_method(arguments: Iterable[str]) -> Iterator[str]:
    """Repeat the option before each further method, so that files may still follow the methods."""
    option = previous_word = ""
    for word in arguments:
        if option and previous_word != option and not _names_method(word):
            option = ""
        if word in OPTIONS:
            option = word
        elif option and previous_word != option:
            yield option
        yield word
        previous_word = word


def _names_method(word: str) -> bool:
    """Tell a slug or a key of a known method from a file name or another option."""
    return word in OPTIONS or re.split("[?@]", word, maxsplit=1)[0] in registry()
