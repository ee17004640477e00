"""Events of a measured process: pauses, compilations and counts, as lanes under its values."""
