"""Proof of the engine: a test for each rule, a second rule model, golden games and random play."""
