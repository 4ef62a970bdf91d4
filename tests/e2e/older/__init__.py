"""A build of the services from before this one, to run beside it: what it was made of lies in `build.tar.xz`."""
