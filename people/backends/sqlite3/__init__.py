"""SQLite that is still read where its disk is full."""
