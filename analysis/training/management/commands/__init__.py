"""Commands of sensitivity, tuning and training."""
