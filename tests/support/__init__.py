"""Helpers of the tests: data, oracles, strategies, and what several tests do."""
