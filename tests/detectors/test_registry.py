"""Finding detectors: by looking, by entry point, by key."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint

import pytest

from detectors import registry as module
from detectors.contract import Context, Detection, Detector, ParameterError, Source, Values
from detectors.families import FAMILIES
from detectors.methods.fixed import Fixed
from detectors.methods.kb_kssd import KbKssd
from detectors.registry import UnknownDetector, canonical_key, from_key, get, method_slots, registry

Install = Callable[[str], None]


class Theirs(Detector):
    slug, version, title, code = "theirs", "1", "Theirs", "TH"
    source = Source("this test")

    def detect(self, values: Values, context: Context) -> Detection:
        return Detection(0)


class NoDetector:
    pass


class SameSlug(Theirs):
    slug = "fixed"


class SameCode(Theirs):
    code = "KB"


class SameSlot(Theirs):
    slot = 0


@pytest.fixture
def install_class(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a class as somebody's package would."""

    def install(name: str) -> None:
        point = EntryPoint("x", f"{__name__}:{name}", module.ENTRY_POINTS)
        monkeypatch.setattr(
            importlib.metadata, "entry_points", lambda *, group: [point][: len(group)]
        )
        registry.cache_clear()
        method_slots.cache_clear()

    yield install
    monkeypatch.undo()
    registry.cache_clear()
    method_slots.cache_clear()


def test_ours_are_found_by_looking_and_sorted() -> None:
    assert {"fixed", "kb-kssd", "ruptures-pelt"} <= set(registry())
    assert list(registry()) == sorted(registry())
    assert get("kb-kssd") is KbKssd


def test_code_and_slot_of_every_detector_are_its_own() -> None:
    classes = registry().values()

    assert len({method.code for method in classes}) == len(classes)
    assert len(set(method_slots().values())) == len(classes)
    assert method_slots()["kb-kssd"] == 0


def test_every_method_of_ours_stands_under_a_heading_that_there_is() -> None:
    own_families = {
        detector.family
        for detector in registry().values()
        if detector.__module__.startswith("detectors.")
    }

    assert own_families <= set(FAMILIES)
    assert sorted(FAMILIES) == list(FAMILIES)


def test_a_package_joins_by_entry_point_and_gets_a_free_slot(install_class: Install) -> None:
    install_class("Theirs")

    assert get("theirs") is Theirs
    taken_slots = {detector.slot for detector in registry().values()}
    assert method_slots()["theirs"] not in taken_slots
    assert method_slots()["theirs"] == min(set(range(99)) - taken_slots)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("SameSlug", "'fixed' is claimed by"),
        ("SameCode", "code KB is claimed by kb-kssd and theirs"),
        ("SameSlot", "slot 0 is claimed by kb-kssd and theirs"),
        ("NoDetector", "is no Detector class"),
    ],
)
def test_two_claims_to_one_name_stop_the_program(
    install_class: Install, name: str, sentence: str
) -> None:
    install_class(name)

    with pytest.raises(RuntimeError, match=sentence):
        registry()


def test_a_key_makes_its_detector() -> None:
    assert from_key("fixed") == Fixed()
    assert from_key("fixed?iteration=7") == Fixed(iteration=7)
    assert from_key("fixed@1?iteration=7").key == "fixed@1?iteration=7"
    assert canonical_key("fixed") == "fixed@1?iteration=500"
    assert from_key(KbKssd(t_crit=3.0).key).params == KbKssd(t_crit=3.0).params


def test_a_key_that_names_nothing_says_what_there_is() -> None:
    with pytest.raises(UnknownDetector, match=r"no detector 'kbkssd'; there are: .*kb-kssd"):
        from_key("kbkssd")
    with pytest.raises(UnknownDetector, match="no version '9' of 'fixed' here; there is: 1"):
        from_key("fixed@9")
    with pytest.raises(
        ParameterError, match="fixed: iteration must be from 0 to 100000000; got -1"
    ):
        from_key("fixed?iteration=-1")


def test_knowing_every_detector_loads_no_heavy_package() -> None:
    program = (
        "import sys; from detectors.registry import registry; registry(); "
        "print([name for name in ('numba', 'scipy', 'ruptures', 'sklearn', 'django') "
        "if name in sys.modules])"
    )

    process = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert process.stdout.strip() == "[]"


def test_one_method_of_ours_is_imported_alone() -> None:
    program = "import sys; from detectors.registry import get; get('mser'); print(*sys.modules)"
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout

    loaded_modules = {name for name in output.split() if name.startswith("detectors.methods.")}
    assert loaded_modules == {"detectors.methods.mser"}
