"""Faults on purpose: real servers and processes that are killed, paused, flushed and restarted while a feed comes in.

`ops/faults` runs them; the integration tests of the workers use the same servers and the same crew.
"""
