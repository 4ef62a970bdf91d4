"""The match log: one JetStream subject for each match, the only thing about it that is kept for good."""
