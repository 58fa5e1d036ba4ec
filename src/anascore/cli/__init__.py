"""The command line: parses arguments, runs a command, prints its output or the error.

Prints text to standard output and warnings to standard error, and returns an exit status.
"""
