"""The edge: Envoy before everything that people reach, with one address for the page and for every client."""
