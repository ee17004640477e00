"""Cost of each method: time to run, time wasted, error of the result."""
