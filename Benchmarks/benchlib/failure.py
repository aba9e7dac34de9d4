"""Errors: of one contender (`Failed`), or of the benchmark itself (`Broken`)."""


class Failed(Exception):
    """A contender ended badly or left a wrong file. Its figures do not count; the others continue.

    `short` is the form for a table."""

    def __init__(self, text: str, short: str = "failed"):
        super().__init__(text)
        self.short = short


class Wrong(Failed):
    """The contender left a wrong file without an error."""

    def __init__(self, text: str):
        super().__init__(text, "WRONG FILE")


class Broken(Exception):
    """The benchmark cannot go on."""
