"""Event lanes: what happened in a measured process, placed on the iterations of its series."""
