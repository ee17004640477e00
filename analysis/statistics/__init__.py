"""Statistics of answers: pure functions over aligned arrays. Errors are predicted - truth."""
