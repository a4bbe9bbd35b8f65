"""Pages for browsers: the table as a skeleton with things in it, and a whole game as one file.

Everything that a page shows comes from the engine; its scripts know no rules. They are in `assets`,
unprocessed.
"""
