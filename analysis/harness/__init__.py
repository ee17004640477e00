"""What harnesses would have done with the series of a data set: their warm-up, and its result."""
