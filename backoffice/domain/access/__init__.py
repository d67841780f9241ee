"""Keys of table systems: who may send in whose name, for which casinos. Secrets never get here, only their digests."""
