"""Where compiled kernels are kept."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from detectors.compilation.cache import kernels_digest, place_kernel_cache


@pytest.fixture(autouse=True)
def _fresh_cache(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("NUMBA_CACHE_DIR", "PLATEAU_DATA", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")  # put back afterwards, whatever is set meanwhile
    place_kernel_cache.cache_clear()
    yield
    place_kernel_cache.cache_clear()


def occupied(folder: Path) -> str:
    """A path in which nothing can be made, for root as for anyone: it is a file."""
    folder.write_text("")
    return str(folder)


def test_the_users_choice_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "mine"))
    monkeypatch.setenv("PLATEAU_DATA", str(tmp_path / "data"))

    folder = place_kernel_cache()

    assert folder == tmp_path / "mine" / kernels_digest()
    assert os.environ["NUMBA_CACHE_DIR"] == str(folder)


def test_a_child_process_finds_its_parents_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / kernels_digest()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))

    assert place_kernel_cache() == folder


def test_then_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATEAU_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    assert place_kernel_cache() == tmp_path / "data" / "numba" / kernels_digest()


def test_then_the_users_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATEAU_DATA", occupied(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    expected = tmp_path / "home" / ".cache" / "plateau" / "numba" / kernels_digest()
    assert place_kernel_cache() == expected


def test_at_last_a_private_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLATEAU_DATA", occupied(tmp_path / "data"))
    monkeypatch.setenv("HOME", occupied(tmp_path / "home"))

    folder = place_kernel_cache()

    assert folder.name.startswith("plateau-numba-")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.rmdir()
