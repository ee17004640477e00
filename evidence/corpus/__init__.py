"""Corpus: recorded noise around known shapes, with known answers: `python -m evidence.corpus`."""
