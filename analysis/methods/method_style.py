"""The style of a detector key on pages: code, name, slot, parameters that are not default."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from urllib.parse import unquote

from analysis.methods.baselines import BASELINES
from analysis.methods.models import OWN, ImportedMethod
from analysis.methods.symbols import classes
from detectors.registry import KeyParts, method_slots, registry
from people import request_facts
from people.models import Study
from people.templatetags.writing import version


@dataclass(frozen=True, slots=True)
class MethodStyle:
    """One detector key as pages and files name it.

    name     the slug where version and parameters are this installation's defaults, else the key:
             what addresses and command lines call it
    params   parameters that differ from the default, as `name = value`; all of an unknown method
    slot     its place in the palette; None for a method that this installation does not have
    source   of a method that came in a file: which, when and by whom; `address` is its page
    """

    key: str
    name: str
    slug: str
    version: str
    code: str
    title: str
    slot: int | None
    params: tuple[str, ...]
    baseline: bool
    source: str = ""
    address: str = ""

    @property
    def symbol(self) -> str:
        """Classes of its symbol in a page."""
        return classes(self.slot)

    @property
    def label(self) -> str:
        """Title and, in brackets, what is not default."""
        return f"{self.title} ({', '.join(self.params)})" if self.params else self.title


@lru_cache(maxsize=4096)
def style_of(key: str) -> MethodStyle:
    """The look of a detector key; a method that is not installed keeps its slug."""
    slug, version, text = KeyParts.from_key(key)
    detector = registry().get(slug)
    if detector is None:
        params = tuple(_spoken_param(pair) for pair in text.split("&") if pair)
        code = slug.removeprefix(OWN)[:4].upper()
        return MethodStyle(key, key, slug, version, code, slug, None, params, baseline=False)
    default = detector().key
    return MethodStyle(
        key=key,
        name=slug if key == default else key,
        slug=slug,
        version=version,
        code=detector.code,
        title=detector.title,
        slot=method_slots().get(slug),
        params=_changes(text, default.partition("?")[2], version, detector.version),
        baseline=slug in BASELINES,
    )


class MethodStyles:
    """The looks of a study's detector keys: those of classes, and of methods that it brought.

    Made for one answer to one question, and not kept: what is brought may be removed again. The
    parts of one page share what is read.
    """

    def __init__(self, study: Study) -> None:
        self.study = study

    def __call__(self, key: str) -> MethodStyle:
        imported_style = self._study_styles.get(key) if key.startswith(OWN) else None
        return imported_style or style_of(key)

    @cached_property
    def _study_styles(self) -> Mapping[str, MethodStyle]:
        """Read only where a key asks for it."""
        request = request_facts.current.get().request
        if request is None or request.method != "GET":
            return _imported_styles(self.study)
        styles_by_study: dict[int, Mapping[str, MethodStyle]] = vars(request).setdefault(
            "_own_methods", {}
        )
        if self.study.pk not in styles_by_study:
            styles_by_study[self.study.pk] = _imported_styles(self.study)
        return styles_by_study[self.study.pk]


def _imported_styles(study: Study) -> Mapping[str, MethodStyle]:
    stored_methods = ImportedMethod.objects.stored().filter(study=study)
    return {
        imported_method.detector_key: _imported_style(imported_method)
        for imported_method in stored_methods.select_related("by", "study")
    }


def with_unique_codes(looks: Iterable[MethodStyle]) -> tuple[MethodStyle, ...]:
    """Sorted styles with distinct codes: the second style of a method is called KB 2."""
    styles, count_by_slug = [], Counter[str]()
    for look in sorted(looks, key=style_order):
        count_by_slug[look.slug] += 1
        number = count_by_slug[look.slug]
        styles.append(replace(look, code=f"{look.code}\u00a0{number}") if number > 1 else look)
    return tuple(styles)


def _imported_style(imported_method: ImportedMethod) -> MethodStyle:
    text = imported_method.detector_key.partition("?")[2]
    return MethodStyle(
        key=imported_method.detector_key,
        name=imported_method.detector_key,
        slug=imported_method.slug,
        version=imported_method.version,
        code=imported_method.code,
        title=imported_method.title,
        slot=imported_method.slot,
        params=(
            *(_spoken_param(pair) for pair in text.split("&") if pair),
            version(imported_method.version),
        ),
        baseline=False,
        source=imported_method.source,
        address=imported_method.get_absolute_url(),
    )


def _changes(text: str, default: str, its_version: str, current_version: str) -> tuple[str, ...]:
    default_settings = set(default.split("&"))
    parameters = [
        _spoken_param(pair) for pair in text.split("&") if pair and pair not in default_settings
    ]
    return (*parameters, *([] if its_version == current_version else [version(its_version)]))


def _spoken_param(pair: str) -> str:
    name, _, value = pair.partition("=")
    return f"{name} = {unquote(value)}"


def style_order(look: MethodStyle) -> tuple[bool, int, bool, str]:
    """Methods in the order of their slots, defaults before variants, baselines last."""
    slot_rank = 10_000 if look.slot is None else look.slot
    return look.baseline, slot_rank, look.name != look.slug, look.key
