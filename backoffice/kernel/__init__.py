"""Words that every floor speaks: money, cards, hands, rates. Standard library and the ISO 4217 table only; no I/O, no clock."""
