"""Agreement of the people of a campaign, for what a reader may see: page, lists, file."""
