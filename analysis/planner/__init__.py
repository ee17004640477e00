"""Plans of how to run a benchmark, from recorded forks: reads, figures, files, command."""
