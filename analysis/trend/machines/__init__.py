"""Machines of a build: how they differ, and how many of them a wished precision takes."""
