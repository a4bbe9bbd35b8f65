"""The log: its events, its lines, its files."""
