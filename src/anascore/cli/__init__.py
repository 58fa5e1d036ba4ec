"""The command line: parses arguments, runs a command, prints its output or the error.

Takes arguments; prints text to standard output and warnings to standard error; returns an exit
status.
"""
