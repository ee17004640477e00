"""All benchmarks of two builds: what changed from one to the other, by how much, how surely."""
