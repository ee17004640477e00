"""Database engines of the settings."""
