"""Harness rules replayed on the series of a data set: their warm-up, and its result."""
