"""All forks of a benchmark on one chart: values, ground truth, answers; page and file."""
