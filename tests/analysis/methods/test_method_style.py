"""How detector keys look on pages."""

from __future__ import annotations

from analysis.methods.method_style import style_of, with_unique_codes
from detectors.registry import from_key


def test_a_method_of_several_parameters_is_numbered_behind_its_defaults() -> None:
    keys = ("georges?k=20", "kb-kssd", "georges", "georges?k=10", "fixed")
    looks = with_unique_codes(style_of(from_key(key).key) for key in keys)

    assert [(look.slug, look.code) for look in looks] == [
        ("kb-kssd", "KB"),
        ("georges", "GE"),
        ("georges", "GE\u00a02"),
        ("georges", "GE\u00a03"),
        ("fixed", "FX"),
    ]
    assert [look.params for look in looks[1:4]] == [(), ("k = 10",), ("k = 20",)]
