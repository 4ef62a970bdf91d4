"""Proof of the engine: a test for each rule, a second rule model, golden games and random play, of each game.

Tables and games that other builds are held against are written anew by `python -m tests.engine.perft`,
`python -m tests.engine.golden_games` and `python -m tests.engine.playouts`, and those of `tests.engine.singhasan`; each
says when that is due.
"""
