"""How the project is checked, shown, measured and explained. It stands outside the house, at its doors."""
