"""Disagreements of people and of methods: one list, its cases, and what was decided of them.

`requested` reads which list an address asks for; `people_list` and `methods_list` make it, from
cases (`reasons`, `cases`) or from a comparison. `list_page` and `case_page` show it, `services`
adds decisions, which `references.review_status` reads.
"""
