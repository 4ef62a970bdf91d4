"""Everything that shows the platform works."""
