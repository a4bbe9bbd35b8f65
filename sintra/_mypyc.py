"""What the compiled build is told about the rules, and what the interpreter makes of it.

The modules that `setup.py` names are compiled by mypyc where a C compiler is at hand. They are plain Python;
`i64` marks numbers that fit a machine word, and is just `int` when interpreted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_extensions import i64 as i64
    from mypy_extensions import mypyc_attr as mypyc_attr
else:
    i64 = int

    def mypyc_attr(**_: Any) -> Any:
        """Nothing to the interpreter."""
        return lambda made: made
