"""The kit that every service stands on: settings, logs, metrics, tokens, gRPC, NATS, the match log. Knows no game."""
