"""Makes table feeds of any size, the same for the same seed: for the demonstration, the tests and the bench.

The house's own deciders judge what is legal: whoever plays proposes, and only what is accepted is written.
"""
