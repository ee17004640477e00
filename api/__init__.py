"""The API for programs: the services of the pages, by token, as JSON and CSV."""
