"""Requests that nobody should send, by the ten thousand, made from the contracts themselves: `make hostile`."""
