"""The chart on a cluster, under load: `python -m tests.cluster`, or `make test-cluster`."""
