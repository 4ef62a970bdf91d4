"""The Grafana dashboards of helm/arena/files/dashboards, as Python: a JSON file of them is 90 % layout."""
