"""Short public names of rows, which say nothing about their order or number."""

from __future__ import annotations

import secrets

ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"  # nothing that reads as something else
LENGTH = 10  # 30^10, about 6e14: no collision among millions


def new_public_id() -> str:
    """A random id of 10 letters and digits."""
    remaining_draw = secrets.randbelow(len(ALPHABET) ** LENGTH)  # one draw for all letters
    letters = []
    for _ in range(LENGTH):
        remaining_draw, letter_index = divmod(remaining_draw, len(ALPHABET))
        letters.append(ALPHABET[letter_index])
    return "".join(letters)
