"""Answers of annotators: what they are asked, save and are refused; training and second passes."""

from __future__ import annotations
