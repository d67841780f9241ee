"""Everything that can be shown: rounds, balances, meters, cases, events. Reads only, and says at which position it read."""
