"""Limits on what is read and written, so that no input exhausts memory or time."""

from __future__ import annotations

MAX_LINE_BYTES = 1 << 16
"""Maximum length of a line of a log, in bytes."""
MAX_LOG_BYTES = 1 << 25
"""Maximum length of a log, in bytes: about half a million events. A game has a few hundred."""
MAX_COMPONENTS_BYTES = 1 << 20
"""Maximum length of a component file, in bytes."""
MAX_COMPONENTS_DEPTH = 100
"""Maximum depth of a component file: decoders give up at different depths in different Pythons."""
MAX_KEY_DOTS = 100
"""Maximum number of dots in a line of a TOML component file: parsing a key is quadratic in its parts."""
MAX_STEPS_BYTES = 1 << 20
"""Maximum length of steps on standard input, in bytes."""
READ_BYTES = 1 << 16
"""Size of the blocks in which files are read, in bytes: larger ones cost the system a new mapping each."""
