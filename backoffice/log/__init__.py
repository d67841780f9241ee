"""Bytes and positions: the append-only, hash-chained event log.

What lives here: envelopes, the chain, the codec, checkpoints, the log itself in PostgreSQL and in memory.
What may come in: events as classes with a type and a schema number, facts as bytes. What never does: cards,
money, the rule of any game, a clock of its own.
"""
