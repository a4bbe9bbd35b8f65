"""`python -m sintra` is `sintra`."""

from sintra.cli import main

main()
