"""Review: what people and methods disagree about, and what was decided of it.

`references.review_status` reads decisions, `services` adds them, `reasons` and `cases` find what is
worth a look, `case_page` and `table` show it.
"""
