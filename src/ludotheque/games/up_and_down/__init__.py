"""Up & Down: tricks whose rules change before each of them."""
