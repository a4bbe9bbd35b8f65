"""Names that mean more to mypyc than to the interpreter, with stand-ins for the interpreter.

The modules that `setup.py` names are compiled by mypyc where there is a C compiler. They are plain Python;
`i64` marks numbers that fit a machine word, and is just `int` when interpreted. Classes that are copied a lot
keep one freed instance (`free_list_len`); those that are never part of a cycle need no garbage collection
(`acyclic`). Worth knowing in hot code (mypyc 2.4):

- `1 << n` has 32 bits in C: shift a number that is an `i64`, or use `sintra.rules.bits.bit`.
- Literals of 2^62 and more are objects, and so is the index of `for _ in range(n)`: use `while`.
- `a if test else 0` makes an object of an `i64` and a literal: use an `if` statement.
- A `Final` is folded if its value is made of literals and of names of its own module.
- Attributes of a class with `allow_interpreted_subclasses` are checked whenever they are read.
- A `vec` is an array in memory that numpy can view. Modules that use it need the package librt when they are
  compiled, so only the learning interfaces may import it: see `sintra.rules.observer`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from librt.vecs import vec as vec
    from mypy_extensions import i64 as i64
    from mypy_extensions import mypyc_attr as mypyc_attr
    from mypy_extensions import u8 as u8
else:
    i64 = u8 = int
    vec = None  # interpreted, arrays of the standard library stand in for it

    def mypyc_attr(**_: Any) -> Any:
        """Do nothing when interpreted."""
        return lambda made: made
