"""Least sure first: which series of a campaign people look at before the others."""
