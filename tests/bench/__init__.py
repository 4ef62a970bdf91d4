"""Measurements: `python -m tests.bench` for whole matches, `python -m tests.bench.engine` for the engine alone."""
