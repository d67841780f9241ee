"""A progressive pool: parameters, what a mark costs, what a hit pays. Knows no round from inside, only claims on the pool."""
