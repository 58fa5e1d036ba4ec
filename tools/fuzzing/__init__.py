"""Fuzzing: mutated and damaged files of every format. `make fuzz` runs it."""
