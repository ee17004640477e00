"""Commands about the composition of data sets."""
