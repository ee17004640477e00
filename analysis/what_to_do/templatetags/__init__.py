"""Filters of the page that says what to do."""
