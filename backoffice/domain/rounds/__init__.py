"""The life of a round, from open to settled or cancelled: what is asked, what became true, and what follows.

House-banked games (`house_*`) and pot games (`pot_*`) share commands, opening, suspension and cancellation. Knows no
jackpot's inside, no network, no wallet: what a decision needs of them comes in as `Surroundings`.
"""
