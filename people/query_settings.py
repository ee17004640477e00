"""Settings in the query of an address, and a notice where a parameter of it is not used.

A page reads wrong settings as their defaults, so that an old or shortened address still opens. It
declares its settings beside the place that reads them; `warn_unused_parameters` names those that
it did not use. A page with several settings declares them as one form (`people.query_form`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, QueryDict

MOST_DIGITS: Final = 9
SHOWN_CHARACTERS: Final = 40  # characters of a value in a notice
MOST_NOTICES: Final = 5  # notices of one address


@dataclass(frozen=True, slots=True)
class AddressSetting:
    """One name of an address.

    called     what people and the command line call it
    read       the value that a text means; LookupError or ValueError where it is not understood
    expected   which texts are, in words
    otherwise  what a page shows in place of one that is not
    """

    called: str
    read: Callable[[str], Any] = str
    expected: str = ""
    otherwise: str = ""

    def fits(self, text: str) -> bool:
        """Return whether a text is understood."""
        try:
            self.read(text)
        except (LookupError, ValueError):
            return False
        return True


Settings = Mapping[str, AddressSetting]


def choice_of(noun: str, *words: str, fallback: str) -> AddressSetting:
    return mapped_choice(noun, dict(zip(words, words, strict=True)), fallback=fallback)


def mapped_choice(noun: str, values: Mapping[str, Any], *, fallback: str) -> AddressSetting:
    """One of some words, each with the value that it means."""
    return AddressSetting(noun, values.__getitem__, f"one of {', '.join(values)}", fallback)


def whole_number(
    noun: str, low: int, high: int, *, fallback: str, or_word: str = ""
) -> AddressSetting:
    """A whole number within the bounds; None for the one word that is taken beside it."""

    def read(text: str) -> int | None:
        value = bounded_integer(text, low, high)
        if value is None and not text == or_word != "":
            raise ValueError(text)
        return value

    expected = f"a whole number from {low:,} to {high:,}"
    return AddressSetting(
        noun, read, f"{expected}, or {or_word}" if or_word else expected, fallback
    )


def bounded_integer(text: str, low: int, high: int) -> int | None:
    """`text` as a whole number within the bounds; None for anything else."""
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        return None
    return int(text) if low <= int(text) <= high else None


PAGE: Final[Settings] = {"page": whole_number("page", 1, 10**9 - 1, fallback="the first page")}


def warn_unused_parameters(request: HttpRequest, *known_settings: Settings) -> None:
    """A notice on the page for each setting of its address that it did not use, and why.

    Parts of a page, which htmx asks for, are told nothing: the page was.
    """
    if request.headers.get("HX-Request"):
        return
    settings = {
        name: setting
        for setting_group in (PAGE, *known_settings)
        for name, setting in setting_group.items()
    }
    for sentence in list(dict.fromkeys(unused_parameters(request.GET, settings)))[:MOST_NOTICES]:
        messages.warning(request, sentence)


def unused_parameters(query: QueryDict, settings: Settings) -> Iterator[str]:
    """A sentence for each value of `query` that these settings do not take; empty ones say none."""
    for name, values in query.lists():
        for value in filter(None, map(str.strip, values)):
            setting = settings.get(name)
            if setting is None:
                yield f"The address says {_setting_words(name, value)}. {_hint(name, settings)}"
            elif not setting.fits(value):
                yield (
                    f"The address says {_setting_words(name, value)}, but {setting.called} takes "
                    f"{setting.expected}. This page shows {setting.otherwise} instead."
                )


def _setting_words(name: str, value: str) -> str:
    text = f"{name}={value}"
    return f"“{text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + '…'}”"


def _hint(name: str, settings: Settings) -> str:
    written_key = next((key for key, setting in settings.items() if setting.called == name), None)
    if written_key is None:
        return "This page has no such setting and shows the same without it."
    return f"It was not used: in an address, {name} is written {written_key}=…"
