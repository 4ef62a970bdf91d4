"""The whole platform on one machine: NATS and every service as processes of their own, watched over.

`platform` for all of it, `nats_server` for NATS alone, `info` for finding a platform that runs already.
"""
