"""Tests of the files that Plateau reads and writes."""
