"""A player's money coming in and going out at the cashier. Stakes and payouts belong to the rounds."""
