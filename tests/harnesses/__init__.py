"""Harnesses with Plateau in them: their programs where they are installed."""
