"""One method under many parameter sets, by workers: what matters, and what would be best."""
