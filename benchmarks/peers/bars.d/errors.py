"""How a run ends that does not end well."""


class Usage(Exception):
    """The command line asks for something that there is not."""


class Missing(Exception):
    """Something that is needed is not here."""


class Failed(Exception):
    """A program ended with an error, did not end, or did not use the device."""


class Interrupted(Exception):
    """SIGINT or SIGTERM."""
