"""Tests of the demo measurements and of their recorder."""
