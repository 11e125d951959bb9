"""Plots of a calculator: any number that comes out over any number that goes in.

`choice` reads what to draw, `points` chooses where to look, `drawing` computes it in a few sweeps, `ticks`
labels the axes, and `words` says the same in sentences.
"""
