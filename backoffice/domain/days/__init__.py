"""Closing a casino's gaming day: a fact that freezes its figures. What becomes known later belongs to the day still open."""
