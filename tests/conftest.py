"""What all tests need."""

from __future__ import annotations

import signal

# Where a shell started the tests in the background, Ctrl-C is ignored, and what they start inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)
