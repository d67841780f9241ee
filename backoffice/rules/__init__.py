"""How games pay: books are frozen data, settlement is a few pure functions over them. Speaks only the kernel's words."""
