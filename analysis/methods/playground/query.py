"""Query of the playground: its query string, read and written in one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from django.http import QueryDict
from django.utils.http import urlencode

from analysis.methods.playground.subjects import SimulatedExample
from detectors.contract import Detector, ParameterError
from detectors.registry import KeyParts, UnknownDetector, from_key, registry

MOST_PINS: Final = 5


@dataclass(frozen=True, slots=True)
class PlaygroundQuery:
    """One view of the playground.

    digest     of a stored series; empty for an example
    notices    what of the address could not be shown as it was meant
    """

    digest: str
    example: SimulatedExample
    detector: Detector
    pins: tuple[str, ...] = ()
    mark: int | None = None
    notices: list[str] = field(default_factory=list)

    @classmethod
    def from_address(cls, query: QueryDict, method: type[Detector]) -> PlaygroundQuery:
        """Read a query string of the page of a method; tell what is not understood."""
        notices: list[str] = []
        mark = query.get("mark", "")
        return cls(
            digest=query.get("series", "").strip().lower()[:64],
            example=SimulatedExample.from_fields({name: query.get(name, "") for name in query}),
            detector=_detector(query.get("m", ""), method, notices),
            pins=_pins(query.getlist("pin")),
            mark=int(mark) if mark.isdecimal() and len(mark) < 9 else None,
            notices=notices,
        )


def _detector(key: str, method: type[Detector], notices: list[str]) -> Detector:
    """The method of a key; of another version, or with bad parameters, the nearest there is."""
    if not key:
        return method()
    slug, _, parameters = KeyParts.from_key(key)
    try:
        return from_key(key)
    except UnknownDetector as unknown:
        notices.append(f"{str(unknown).capitalize()}. The link may show another answer here.")
    except ParameterError as error:
        notices.append(f"{error}. The defaults are shown instead.")
    if slug not in registry():
        return method()
    try:
        return from_key(f"{slug}?{parameters}")
    except ParameterError:
        return registry()[slug]()


def _pins(keys: list[str]) -> tuple[str, ...]:
    valid_keys = []
    for key in dict.fromkeys(keys):
        try:
            from_key(key)
        except (UnknownDetector, ParameterError):
            continue  # an old pin is left out: the page has others to show
        valid_keys.append(key)
    return tuple(valid_keys[:MOST_PINS])


def short_key(detector: Detector) -> str:
    """The key for an address: version, and the parameters that differ from their defaults."""
    default_texts, texts = type(detector)().params.texts(), detector.params.texts()
    differing_texts = {name: text for name, text in texts.items() if text != default_texts[name]}
    query = urlencode(differing_texts).replace("+", "%20")
    return f"{detector.slug}@{detector.version}" + (f"?{query}" if query else "")


def playground_command(detector: Detector, file: str) -> str:
    """The command line that gives the same answer."""
    default_texts, texts = type(detector)().params.texts(), detector.params.texts()
    arguments = "".join(
        f" --param {_quoted(f'{name}={text}')}"
        for name, text in texts.items()
        if text != default_texts[name]
    )
    return f"python -m detectors detect {file} --method {detector.slug}{arguments}"


def _quoted(text: str) -> str:
    needs_no_quotes = all(letter.isalnum() or letter in "=._-@:/,%+" for letter in text)
    return text if needs_no_quotes else f"'{text}'"


def script_fields(query: PlaygroundQuery) -> dict[str, Any]:
    """Data of the query for the page's script."""
    return {
        "pins": list(query.pins),
        "mark": query.mark,
        "query": [["series", query.digest]] if query.digest else query.example.pairs(),
    }
