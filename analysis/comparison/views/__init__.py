"""Pages of the comparison."""
