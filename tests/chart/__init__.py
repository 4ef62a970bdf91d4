"""The Helm chart: what it renders, held against Kubernetes, against policies and against the code. See `make chart`."""
