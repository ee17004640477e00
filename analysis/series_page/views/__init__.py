"""Pages and payloads of the series page."""
