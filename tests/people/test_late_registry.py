"""Registries that are filled when somebody reads them."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from people import late_registry
from people.late_registry import LateRegistry, register_later, register_waiting


@pytest.fixture
def _none_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late_registry, "_waiting", [])


@pytest.mark.usefixtures("_none_waiting")
def test_entries_are_registered_once_before_they_are_read() -> None:
    registry = LateRegistry(["own"])
    register_later(lambda: registry.present.append("of another room"))

    assert registry.present == ["own"]
    assert registry.entries == ["own", "of another room"]
    assert registry.entries == ["own", "of another room"]


@pytest.mark.usefixtures("_none_waiting")
def test_what_reads_a_registry_while_it_registers_does_not_begin_again() -> None:
    registry = LateRegistry[list[int]]([])
    register_later(lambda: registry.present.append(len(registry.entries)))

    assert registry.entries == [0]


@pytest.mark.usefixtures("_none_waiting")
def test_a_registration_that_raises_is_tried_again() -> None:
    registry = LateRegistry[list[str]]([])
    failures = [ImportError("no such module")]

    def register_or_raise() -> None:
        if failures:
            raise failures.pop()
        registry.present.append("late")

    register_later(register_or_raise)
    register_later(lambda: registry.present.append("last"))

    with pytest.raises(ImportError):
        _ = registry.entries
    assert registry.entries == ["late", "last"]


@pytest.mark.usefixtures("_none_waiting")
def test_a_second_thread_waits_for_what_a_first_one_registers() -> None:
    registry = LateRegistry[list[str]]([])
    begin_event, may_end, lengths = Event(), Event(), []

    def register_slowly() -> None:
        begin_event.set()
        may_end.wait(10)
        registry.present.append("late")

    register_later(register_slowly)
    first = Thread(target=register_waiting)
    second_thread = Thread(target=lambda: lengths.append(len(registry.entries)))
    first.start()
    begin_event.wait(10)
    second_thread.start()
    second_thread.join(0.1)
    is_waiting = second_thread.is_alive()
    may_end.set()
    first.join(10)
    second_thread.join(10)

    assert is_waiting
    assert lengths == [1]
