"""Commands about work."""
