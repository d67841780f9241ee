"""Use cases: deciding requests under the log's lock, sharing commits, reacting to facts, importing feeds."""
