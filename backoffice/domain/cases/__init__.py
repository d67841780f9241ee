"""What a person must decide: compensation for hands of cancelled rounds, payouts a table disputes."""
