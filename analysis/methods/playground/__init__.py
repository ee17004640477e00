"""The playground: one series, any method, nothing stored."""
