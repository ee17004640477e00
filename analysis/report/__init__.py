"""A comparison as something that is attached to a paper: one document, or everything in a .zip."""
