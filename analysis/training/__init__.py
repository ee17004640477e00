"""Training of learned methods on a study's own labels: jobs, and the weights that they give."""
