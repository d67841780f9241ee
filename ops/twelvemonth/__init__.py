"""A year of play: a feed over twelve months, imported, every report and file made of it, and all of them cross-footed.

Each step is a process of its own, so that its time and its peak of memory are its own; what is done is not done again.
"""
