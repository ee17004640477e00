"""Commands about the series that people look at first."""
