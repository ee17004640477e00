"""The page of a series: overlay, evidence, online methods, diagnostics, results."""
