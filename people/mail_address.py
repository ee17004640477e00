"""Comparison of mail addresses: in Python, exactly, and the same whatever the database.

A database folds upper case by rules of its own: PostgreSQL's UPPER() makes `I` of `ı` as well, and
so finds another person's address.
"""

from __future__ import annotations

import re
import unicodedata
from string import ascii_lowercase, ascii_uppercase
from typing import Final

MOST: Final = 254  # characters, as many as the column of an address has
_CAPITALS: Final = str.maketrans(ascii_uppercase, ascii_lowercase)
_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")


def address_key(address: str) -> str:
    """The form in which two addresses are compared: ASCII in small letters, domain by IDNA.

    Empty where `address` is none, or could be mistaken for another one: apart from the capitals
    A to Z, compatibility normalization (NFKC) and case folding must leave it as it is.
    """
    lower_case_address = address.translate(_CAPITALS)
    if (
        len(lower_case_address) > MOST
        or unicodedata.normalize("NFKC", lower_case_address).casefold() != lower_case_address
    ):
        return ""
    local, separator, domain = lower_case_address.rpartition("@")
    host = _ascii_domain(domain)
    key = f"{local}@{host}"
    fits = (
        separator and host and local and "@" not in local and key.isprintable() and " " not in key
    )
    return key if fits and len(key) <= MOST else ""


def _ascii_domain(domain: str) -> str:
    """The domain as the name system spells it; empty where that would be another domain's name."""
    if domain.isascii():
        name = domain
    else:
        try:
            name = domain.encode("idna").decode("ascii")
            if name.encode("ascii").decode("idna") != domain:  # a joiner or a hyphen was dropped
                return ""
        except UnicodeError:
            return ""
    return name if all(_LABEL.fullmatch(label) for label in name.split(".")) else ""
