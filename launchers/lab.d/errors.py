"""The laboratory's own failures and the exit codes they end with."""

USAGE = 2          # the command line is wrong
TIMED_OUT = 124    # as timeout(1)
LAB_FAILED = 125   # as docker(1): the laboratory failed, not COMMAND
BROKEN_PIPE = 141  # as a shell reports SIGPIPE


class LabError(Exception):
    """One sentence for the user, and the exit code that goes with it."""

    def __init__(self, sentence, code=LAB_FAILED):
        super().__init__(sentence)
        self.code = code


class UsageError(LabError):
    def __init__(self, sentence):
        super().__init__(sentence, USAGE)
