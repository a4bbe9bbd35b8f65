"""Games and positions as a line of text: codes, and positions."""
