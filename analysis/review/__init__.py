"""Review: what people and methods disagree about, and what was decided of it.

`standing` reads decisions, `decisions` adds them, `reasons` and `cases` find what is worth a look,
`page` and `listing` show it.
"""
