"""Commands about agreement of people."""
