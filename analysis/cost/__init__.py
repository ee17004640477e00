"""What each method would cost: time to run, time wasted, how far the result is off."""
