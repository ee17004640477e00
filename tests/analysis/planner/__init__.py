"""The plan of a benchmark on its page, in files and by a command."""
