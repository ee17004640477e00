"""Pages of the methods and the playground."""
