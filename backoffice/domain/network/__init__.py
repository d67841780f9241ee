"""Which casinos, tables, jackpots and rates there are: configuration as facts."""
