"""Facts in, rows out: the read models, and the projector that catches up, rebuilds and compares them.

What lives here: one module a read model (`catalogue` lists them), rows written by the batch, replays beside
the living tables. What may come in: recorded events. What never does: commands, a rule of any game, anything
that the log could not tell again.
"""
