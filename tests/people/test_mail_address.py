"""Mail addresses compared: capitals of ASCII are equal, and nothing else that only looks alike."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from people.mail_address import address_key

LETTERS = st.text(alphabet="abkiſıİK@.xn-éß\u0000\u200b ", max_size=12)


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("mike@github.com", "mike@github.com"),
        ("Mike@GitHub.COM", "mike@github.com"),
        ("mike@gıthub.com", "mike@xn--gthub-n4a.com"),
        ("a@bücher.example", "a@xn--bcher-kva.example"),
        ("a@xn--bcher-kva.example", "a@xn--bcher-kva.example"),
        ("ü@example.org", "ü@example.org"),
        ("a@localhost", "a@localhost"),
    ],
)
def test_an_address_has_one_form(address: str, key: str) -> None:
    assert address_key(address) == key


@pytest.mark.parametrize(
    "address",
    [
        "",
        "a",
        "@example.org",
        "a@",
        "a@b@example.org",
        "a b@example.org",
        "a@example.org\0",
        "a\ud800@example.org",
        "mi\u212ae@github.com",  # the sign of Kelvin
        "mike@G\u0130THUB.com",
        "a@B\u00dcCHER.example",
        "stra\u00dfe@example.org",
        "\ufb01@example.org",
        "a@example\u3002org",
        "a@git\u200bhub.com",
        "a@git\u00adhub.com",
        "a@-example.org",
        "a@example..org",
        "a@bücher..example",
        f"a@{'ü' * 64}.example",  # a label that the name system has no room for
        f"{'a' * 250}@example.org",
    ],
)
def test_what_folding_changes_and_what_is_no_address_has_none(address: str) -> None:
    assert address_key(address) == ""


@given(LETTERS, LETTERS)
def test_two_addresses_are_equal_only_by_capitals_and_spelling_of_the_domain(
    first: str, second: str
) -> None:
    key = address_key(first)

    assert address_key(key) == key  # a form has itself as its form
    if key and key == address_key(second) and first.isascii() and second.isascii():
        assert first.lower() == second.lower()


def test_an_address_is_as_long_as_its_column_at_most() -> None:
    longest_address = f"{'a' * 242}@example.org"
    idn_address = f"{'a' * 238}@b\u00fccher.example"  # 7 characters more by IDNA

    assert len(longest_address) == 254
    assert address_key(longest_address) == longest_address
    assert address_key(f"a{longest_address}") == ""
    assert address_key(idn_address) == ""
