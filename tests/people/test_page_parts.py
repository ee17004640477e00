"""Tests of what many pages share: empty states, notices, heads of tables."""

from __future__ import annotations

from django.template import Context, Template


def rendered_text(source: str, **context: object) -> str:
    return Template(source).render(Context(context))


def test_an_empty_state_has_its_sentence_and_one_button() -> None:
    page = rendered_text(
        '{% empty_state url="/new/" action="Go" %}\n  No {{ what }}\n  yet.\n{% endempty_state %}',
        what="<b>",
    )

    assert "<p>No &lt;b&gt; yet.</p>" in page
    assert page.count("<a ") == 1
    assert 'href="/new/"' in page


def test_a_bad_notice_is_an_alert_and_others_are_not() -> None:
    assert 'role="alert"' in rendered_text('{% notice "bad" %}No{% endnotice %}')
    assert 'role="status"' in rendered_text('{% notice "warn" %}Mind{% endnotice %}')


def test_columns_of_figures_are_marked_in_the_head() -> None:
    assert rendered_text('{% table_head name "#n" %}', name="A&B") == (
        '<thead><tr><th scope="col">A&amp;B</th><th scope="col" class="number">n</th></tr></thead>'
    )


def test_a_head_that_is_read_aloud_alone_is_hidden() -> None:
    assert '<th scope="col"><span class="visually-hidden">Do</span></th>' in rendered_text(
        '{% table_head "-Do" %}'
    )


def test_heads_between_bars_are_those_of_columns_whatever_their_conditions() -> None:
    source = "{% columns %}{{ name }} | #|Δ|{% if more %} |\n ~Why{% endif %}{% endcolumns %}"

    assert rendered_text(source, name="A|B<", more=True) == (
        '<thead><tr><th scope="col">A|B&lt;</th><th scope="col" class="number">|Δ|</th>'
        '<th scope="col" class="group">Why</th></tr></thead>'
    )
    assert "Why" not in rendered_text(source, name="A", more=False)


def test_a_table_may_begin_with_its_own_head() -> None:
    source = (
        '{% scrolled_table "T" %}{% columns %}A{% endcolumns %}<tr></tr>{% endscrolled_table %}'
    )

    assert '"table "><thead><tr><th scope="col">A</th></tr></thead><tbody><tr>' in rendered_text(
        source
    )


def test_options_are_pairs_or_objects_and_one_is_chosen() -> None:
    assert rendered_text("{% options rows 2 %}", rows={1: "<a>", 2: "b"}) == (
        '<option value="1">&lt;a&gt;</option><option value="2" selected>b</option>'
    )
    assert rendered_text('{% options rows None "real" "imag" %}', rows=[2 + 1j]) == (
        '<option value="2.0">1.0</option>'
    )


def test_a_table_that_scrolls_is_a_named_region_with_its_rows() -> None:
    page = rendered_text(
        '{% scrolled_table label "#n" kind="tight" %}<tr>{{ n }}</tr>{% endscrolled_table %}',
        label="A&B",
        n="<",
    )

    assert page.startswith('<div class="scroll" role="region" tabindex="0" aria-label="A&amp;B">')
    assert '<table class="table tight"><thead>' in page
    assert page.endswith("<tbody><tr>&lt;</tr></tbody></table></div>")


def test_a_sorted_column_says_its_direction() -> None:
    source = '{% sorted_by order "n" %}'

    assert rendered_text(source, order="n") == ' aria-sort="ascending"'
    assert rendered_text(source, order="-n") == ' aria-sort="descending"'
    assert rendered_text(source, order="name") == ""
