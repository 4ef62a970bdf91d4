"""Generated from proto/ by `make gen`."""
