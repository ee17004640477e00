"""What harnesses would have done."""
