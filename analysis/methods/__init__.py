"""Methods: the catalogue, how a method looks on charts, the playground."""
