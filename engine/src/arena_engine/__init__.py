"""The games' rules: pure, typed, no I/O, no clock.

See `game` for what a game offers, `registry` for which there are.
"""
