"""Commands of the comparison."""
