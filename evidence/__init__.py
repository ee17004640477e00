"""Evidence for the claims of this project; no user runs it, and no room imports it."""
