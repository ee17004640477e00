"""The page *Which method?*: its evidence is of today, and follows from the figures."""

from __future__ import annotations

from docs import all_methods, panel_figures, which_method
from docs.yardsticks import PLATEAUS, all_yardsticks


def tables() -> dict[str, str]:
    methods = list(all_methods.documented_methods())
    return which_method.evidence_tables(
        all_methods.current_figures(), methods, panel_figures.kept_figures()
    )


def test_the_first_by_each_yardstick_is_named_with_its_figure_and_the_next() -> None:
    title_by_key = {method.key: method.title for method in all_methods.documented_methods()}
    yardsticks = all_yardsticks(all_methods.current_figures(), panel_figures.kept_figures())

    rows = tables()["truth"].splitlines()[2:]

    assert len(rows) == len(yardsticks)
    for row, yardstick in zip(rows, yardsticks, strict=True):
        keys = [key for key in yardstick.ordered_keys() if key in title_by_key]
        next_key = next(key for key in keys if key.partition("@")[0] not in PLATEAUS)
        assert f"[{title_by_key[keys[0]]}](" in row
        assert f" {yardstick.shown(keys[0])} " in row
        assert row.endswith(f"{title_by_key[next_key]}, {yardstick.shown(next_key)} |")


def test_each_range_of_lengths_has_the_shares_of_its_own_lengths() -> None:
    figures = all_methods.current_figures()["methods"]
    row = next(row for key, row in figures.items() if key.startswith("plateau@"))
    share_by_length = {int(n): share for n, share in row["plain"]["length"].items()}

    table = tables()["length"]

    for low, high in which_method.LENGTH_RANGES:
        shares = [share for n, share in share_by_length.items() if low <= n <= high]
        assert f"right on {min(shares):.2f} to {max(shares):.2f}" in table


def test_no_method_that_learned_decides_while_values_come_in_the_last_row() -> None:
    rows = tables()["online"].splitlines()[2:]

    assert "[Plateau, online](" in rows[1]
    assert not any(f"/{slug}.md" in rows[2] for slug in which_method.FITTED_HERE)


def test_before_the_defaults_have_figures_the_page_stays_as_it_is() -> None:
    assert which_method.evidence_tables({"methods": {}}, [], {"methods": {}}) == {}
