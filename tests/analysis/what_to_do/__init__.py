"""What to do: ways on forks whose figures can be worked out by hand, and the page."""
