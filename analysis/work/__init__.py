"""Jobs on workers: units, leases, queue, sweep, signs of life."""
