"""Archive of a study: one .zip with everything that can be cited, and what reads it again."""
