"""The log of a game: its events, their encoding, and the files."""
