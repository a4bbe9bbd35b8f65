"""Many games: played, read, checked and counted by any number of workers."""
