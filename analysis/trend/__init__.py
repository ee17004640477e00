"""Results of benchmarks over the recordings of a data set: one function for page, file, command."""
