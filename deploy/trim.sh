#!/bin/sh
# Takes out of a virtual environment what nothing here runs, and compiles the rest. For the image alone.
# usage: deploy/trim.sh VENV
set -eu
packages=$(echo "$1"/lib/python3.*/site-packages)

# The client of Kubernetes for asyncio repeats the whole of the plain one, which is ours: 40 MB.
rm -r "$packages/kubernetes/aio"
find "$packages" -type d \( -name tests -o -name test \) -prune -exec rm -r {} +
find "$packages" -type f \( -name '*.pyi' -o -name '*.pyx' -o -name '*.pxd' -o -name '*.c' -o -name '*.h' \) -delete
rm "$1"/bin/[Aa]ctivate*

# uvloop alone comes with 12 MB that only a debugger reads.
find "$packages" "$1/bin" -type f \( -name '*.so' -o -name '*.so.*' -o -name nats-server \) -exec strip --strip-unneeded {} +

# By their hashes, never looked at again: times of files would make every build another one, as those would that pip left
# when it ran. Without any, a room takes twice as long to start. The models of Kubernetes would be 24 MB, for a second at
# the start of the fleet's only.
"$1/bin/python" -m compileall -q -f --invalidation-mode unchecked-hash -x '/site-packages/kubernetes/' "$packages"
