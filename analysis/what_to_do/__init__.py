"""Advice on how a benchmark should be run, and what harnesses and methods would do with it."""
