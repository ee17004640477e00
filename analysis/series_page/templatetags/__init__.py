"""Filters of the series page and of what a data set's table says of answers."""
