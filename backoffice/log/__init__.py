"""Bytes and positions: the append-only, hash-chained event log. Knows no cards, no money and no rule of any game."""
