"""Settings from the process's environment and from the file that `make run` keeps."""

from __future__ import annotations

import ipaddress
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent
USUAL_DATA = ROOT / "data"
# Tests read settings before any of their own code runs; they must never meet real data.
TESTING = "pytest" in sys.modules


# Nobody but this user reads what Plateau writes: files are 0600 and folders 0700.
PRIVATE: Final = 0o077
os.umask(os.umask(PRIVATE) | PRIVATE)


def _data() -> Path:
    if folder_name := os.environ.get("PLATEAU_DATA"):
        return Path(folder_name).resolve()
    return Path(tempfile.mkdtemp(prefix="plateau-tests-")) if TESTING else USUAL_DATA


DATA = _data()
MAKE_WRITABLE = (
    f"Plateau keeps its data in {DATA}: let this user write there, "
    "or name another folder in PLATEAU_DATA."
)
WRITTEN_DOWN = DATA / "plateau.env"


def take_over_settings(path: Path = WRITTEN_DOWN) -> None:
    """Take over the NAME=VALUE lines of `path`; the real environment wins.

    `make run` writes the file for its development installation, so that
    `python manage.py …` beside it means the same database and mode. A
    production installation has no such file and says everything itself.
    """
    if not path.is_file():
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        name, equals_sign, value = text.partition("=")
        if not equals_sign:
            raise ImproperlyConfigured(
                f"{path}, line {number}: found {text!r}, expected NAME=VALUE"
            )
        os.environ.setdefault(name.strip(), value.strip())


def flag(name: str, *, default_flag: bool = False) -> bool:
    """The yes/no setting `name`: 1, true, yes, on (any case) are yes."""
    value = os.environ.get(name)
    return default_flag if value is None else value.lower() in {"1", "true", "yes", "on"}


def list_setting(name: str) -> list[str]:
    """The comma-separated setting `name` as a list, empty parts left out."""
    return [piece.strip() for piece in os.environ.get(name, "").split(",") if piece.strip()]


def integer_setting(name: str, default: int) -> int:
    """The whole-number setting `name`."""
    value = os.environ.get(name)
    if not value:
        return default
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(
            f"{name}: found {value!r}, expected a whole number such as {default}"
        ) from None


def file_setting(name: str) -> str:
    """The file that the setting `name` names; empty where it is not set."""
    value = os.environ.get(name, "")
    if value and not Path(value).is_file():
        raise ImproperlyConfigured(f"{name}: found {value!r}, expected a file that is there")
    return value


def chosen_word(name: str, choices: Sequence[str]) -> str:
    """The setting `name`, which is one of `choices`; the first where it is not set."""
    value = os.environ.get(name) or choices[0]
    if value not in choices:
        raise ImproperlyConfigured(f"{name}: found {value!r}, expected one of {', '.join(choices)}")
    return value


Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def networks(name: str) -> list[Network]:
    """The comma-separated addresses and networks of the setting `name`."""
    try:
        return [ipaddress.ip_network(address) for address in list_setting(name)]
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name}: {error}; expected addresses or networks such as 10.0.0.0/8"
        ) from error
