"""Measures how fast the house is, as ratios to others' work on the same server in the same run: `ops/bench`."""
