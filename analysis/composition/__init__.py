"""Composition of a data set: systems with their series, shapes, noise and ground truth."""
