"""The one exception for input that cannot be used."""


class BadInput(ValueError):
    """The message is one line: what was expected, what was found and what to do.

    Every package raises it for broken files, texts and settings; the command line prints it and exits with 2.
    """
