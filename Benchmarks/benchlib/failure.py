"""What can go wrong: one contender (`Failed`), or the benchmark itself (`Broken`)."""


class Failed(Exception):
    """A contender ended badly or left a wrong file. Its figures do not count; the others go on."""


class Broken(Exception):
    """The benchmark cannot go on."""
