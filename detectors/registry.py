"""All detectors there are: ours by looking, everybody else's by entry point."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import chain, count
from types import MappingProxyType
from typing import Final, NamedTuple, Self

from detectors import methods
from detectors.contract import Detector, ParameterError

ENTRY_POINTS = "plateau.detectors"
DEFAULT_METHOD: Final = "plateau"
"""Slug of the method that answers wherever nobody names one: library, commands, pages, trend."""
DEFAULT_ONLINE_METHOD: Final = "plateau-online"
"""Slug of the method that decides while values come, where nobody names one: `pytest --plateau`."""
DEFAULT_WATCHING_METHOD: Final = "plateau-online?soon=0.98"
"""Key of the method of `watch`, where nobody names one: a program waits, so a plain level decides
sooner.
"""


class KeyParts(NamedTuple):
    """Parts of a detector key ``slug@version?name=value&…``; empty where the key lacks them."""

    slug: str
    version: str
    parameters: str

    @classmethod
    def from_key(cls, key: str) -> Self:
        """Take a key apart, whether or not its detector is installed."""
        name, _, parameters = key.partition("?")
        slug, _, version = name.partition("@")
        return cls(slug, version, parameters)


class UnknownDetector(LookupError):
    """No detector of that name or version; the message says which there are."""


@cache
def registry() -> Mapping[str, type[Detector]]:
    """Detectors by slug, in slug order. Built once; read-only."""
    detector_by_slug: dict[str, type[Detector]] = {}
    for detector in chain(_own_detectors(), _plugin_detectors()):
        claimant = detector_by_slug.setdefault(detector.slug, detector)
        if claimant is not detector:
            raise RuntimeError(f"{detector.slug!r} is claimed by {claimant!r} and {detector!r}")
    _check_distinct(detector_by_slug, "code")
    _check_distinct(detector_by_slug, "slot")
    return MappingProxyType(dict(sorted(detector_by_slug.items())))


def _own_detectors() -> Iterator[type[Detector]]:
    for module in pkgutil.iter_modules(methods.__path__, f"{methods.__name__}."):
        yield from _classes_in(importlib.import_module(module.name))


def _classes_in(module: object) -> Iterator[type[Detector]]:
    for _, member in inspect.getmembers(module, inspect.isclass):
        is_own = member.__module__ == getattr(module, "__name__", "")
        if is_own and issubclass(member, Detector) and not inspect.isabstract(member):
            yield member


def _plugin_detectors() -> Iterator[type[Detector]]:
    from importlib.metadata import entry_points  # noqa: PLC0415  # one method of ours needs none

    for point in entry_points(group=ENTRY_POINTS):
        loaded_object = point.load()
        if not (inspect.isclass(loaded_object) and issubclass(loaded_object, Detector)):
            raise RuntimeError(f"entry point {point.name!r} ({point.value}) is no Detector class")
        yield loaded_object


def _check_distinct(detector_by_slug: Mapping[str, type[Detector]], name: str) -> None:
    """Two methods with one code or one slot could not be told apart on a chart."""
    claimed_names: dict[object, str] = {}
    for slug, detector in detector_by_slug.items():
        value = getattr(detector, name)
        if value is not None and claimed_names.setdefault(value, slug) != slug:
            raise RuntimeError(f"{name} {value} is claimed by {claimed_names[value]} and {slug}")


@cache
def method_slots() -> Mapping[str, int]:
    """Each detector's look on charts: its declared slot, or the next free one in slug order."""
    declared_slots = {slug: detector.slot for slug, detector in registry().items()}
    free_slots = (number for number in count() if number not in set(declared_slots.values()))
    return MappingProxyType(
        {slug: next(free_slots) if slot is None else slot for slug, slot in declared_slots.items()}
    )


def get(slug: str) -> type[Detector]:
    """The class of a slug; raises `UnknownDetector` with the slugs there are.

    A method of ours is imported alone: all of them take a quarter of a second.
    """
    if detector := _own_detector(slug):
        return detector
    try:
        return registry()[slug]
    except KeyError:
        raise UnknownDetector(f"no detector {slug!r}; there are: {', '.join(registry())}") from None


@lru_cache(maxsize=256)
def _own_detector(slug: str) -> type[Detector] | None:
    """Our method of a slug; its module has the same name, with underscores."""
    module = f"{methods.__name__}.{slug.replace('-', '_')}"
    if not slug.replace("-", "").isalnum() or find_spec(module) is None:
        return None
    declared_detectors = _classes_in(importlib.import_module(module))
    return next((detector for detector in declared_detectors if detector.slug == slug), None)


def from_key(key: str) -> Detector:
    """The detector of ``slug@version?name=value&…``; a slug alone has the defaults.

    Raises `UnknownDetector` (also for a version that is not this one, whose answers
    may differ) and `ParameterError`.
    """
    slug, version, text = KeyParts.from_key(key)
    detector = get(slug)
    if version and version != detector.version:
        raise UnknownDetector(
            f"no version {version!r} of {slug!r} here; there is: {detector.version}"
        )
    try:
        return detector.with_params(detector.Params.from_text(text))
    except ParameterError as error:
        raise ParameterError(f"{slug}: {error}") from None


def canonical_key(key: str) -> str:
    """The full spelling of a key: version and every default written out."""
    return from_key(key).key
