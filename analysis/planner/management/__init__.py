"""Commands about plans of benchmarks."""
