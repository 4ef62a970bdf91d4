"""The command line `arena`. Each subcommand is a module here; `main` lists them."""
