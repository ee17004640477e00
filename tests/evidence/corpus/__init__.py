"""Tests of the corpus: recorded noise around known shapes."""
