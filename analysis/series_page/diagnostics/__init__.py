"""Diagnostic plots on the page of a series: what remains after a cut, plotted three ways."""
