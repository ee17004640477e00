"""How far the people of a campaign agree, for what a reader may see: page, lists and file."""
