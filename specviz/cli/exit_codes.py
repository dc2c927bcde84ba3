"""What the exit code of the command line means; 0 is success."""

FAILED = 1
"""Something failed that no check foresaw; one sentence on stderr names it."""
BAD_INPUT = 2
"""The request cannot be carried out; one sentence on stderr explains why."""
STOPPED = 130
"""Stopped with Ctrl-C."""
READER_GONE = 141
"""The reader of the output closed the pipe."""
