"""What people must decide: compensation, disputed payouts, reversals of settled rounds, large wins, debts written off.

One proposes, another approves or refuses; what was approved is then carried out by a reaction, exactly once.
"""
