"""Matches of every game while everything they stand on is hurt at random: `python -m tests.chaos`, or `make chaos`.

`schedule` draws what is hurt and when, `stage` is what is hurt, `players` play and record what they were told, `checks`
holds that against the log, `report` tells.
"""
