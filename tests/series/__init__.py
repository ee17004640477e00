"""Tests of the room "series"."""
