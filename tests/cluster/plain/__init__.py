"""A small cluster of plain processes, for machines without a real one: `python -m tests.cluster.plain`.

What is as in Kubernetes: the API over TLS with discovery, resourceVersions, conflicts, watches, the patches that Helm
uses and rights by Role; Deployments that roll, StatefulSets, pods with probes, graceful ends, their own addresses,
volumes, user, read-only root and mount namespace; Services as names in DNS. What is not there: virtual addresses,
volumes that outlive their pod, logs, exec, port-forward, several nodes, limits of any kind.

`kinds` is what there is, `store` keeps it, `patches` change it, `access` says who may, `api` serves it; `controllers`
make pods, `kubelet` runs them by `container`, `probes` and `volumes`; `dns` finds them.
"""
