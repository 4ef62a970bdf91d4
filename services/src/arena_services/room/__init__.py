"""Hosts matches and serves them to players and spectators; any room answers for any match."""
