#!/bin/sh
# Builds the image of deploy/Dockerfile without a container engine, runs what is in it, and says its size. Called by
# `make image`. All of it lies in build/image: buildah's storage, and arena.tar for other machines and clusters.
#
# BASE     the base image; none: a Debian 12 with Python is made from Debian's packages, once
# MIRROR   where Debian's packages are for that
set -eu
cd "$(dirname "$0")/.."
here=$PWD/build/image
python=.venv/bin/python

say() { printf 'image: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

b() { buildah --root "$here/storage" --runroot "$here/run" --storage-driver vfs "$@"; }

need_programs() {
    wanted=
    command -v buildah >/dev/null || wanted="buildah"
    [ -n "${BASE:-}" ] || command -v debootstrap >/dev/null || wanted="$wanted debootstrap"
    [ "$(id -u)" = 0 ] || die "needs root, for chroot and mounts." \
        "Type: ${wanted:+sudo apt-get install $wanted && }sudo make image;" \
        "or where there is a container engine: make page && docker build -f deploy/Dockerfile -t arena ."
    [ -n "$wanted" ] || return 0
    command -v apt-get >/dev/null || die "needs $wanted"
    say "installing the system's packages: $wanted"
    # shellcheck disable=SC2086 # several packages
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $wanted; } >&2 ||
        die "apt-get could not install $wanted"
}

# Debian 12 with its security updates and Python, and without what only people read.
make_base() {
    b inspect --type image "$1" >/dev/null 2>&1 && return
    say "making a base of Debian's packages, which takes two minutes"
    root=$here/base
    mirror=${MIRROR:-http://deb.debian.org/debian}
    rm -rf "$root"
    debootstrap --variant=minbase --include=python3 bookworm "$root" "$mirror" >"$here/base.log" 2>&1 ||
        die "debootstrap could not make a base from $mirror: see build/image/base.log"
    for suite in bookworm bookworm-updates; do echo "deb $mirror $suite main"; done >"$root/etc/apt/sources.list"
    echo "deb ${mirror%/}-security bookworm-security main" >>"$root/etc/apt/sources.list"
    # shellcheck disable=SC2016 # the root's own shell reads it
    chroot "$root" env DEBIAN_FRONTEND=noninteractive sh -euc '
        apt-get update -q && apt-get upgrade -q -y && apt-get clean' >>"$here/base.log" 2>&1 ||
        die "Debian'\''s updates could not be installed: see build/image/base.log"
    (cd "$root" && rm -rf var/lib/apt/lists/* var/cache/* var/log/* usr/share/man/* usr/share/info/* usr/share/locale/* &&
        find dev -mindepth 1 -delete && find usr/share/doc -type f ! -name copyright -delete)
    # Whatever runs a container lays its own over these; where they are not there it leaves them behind in a layer.
    for name in hostname hosts resolv.conf; do : >"$root/etc/$name"; done
    container=$(b from scratch)
    b copy -q "$container" "$root" / >/dev/null
    b commit -q "$container" "$1" >/dev/null
    b rm "$container" >/dev/null
    rm -rf "$root"
}

# How pip reaches packages from this machine: hosts and certificates, which the build sees and the image never does. Goes
# into a folder that every base has and nothing uses: a mount leaves an empty file or folder where there was none.
pip_settings() {
    rm -rf "$1"
    mkdir "$1"
    echo "[global]" >"$1/pip.conf"
    "$python" -m pip config list |
        sed -n "s/^[^.]*\.\(index-url\|trusted-host\|proxy\|timeout\|retries\)='\(.*\)'$/\1 = \2/p" >>"$1/pip.conf"
    for file in "${SSL_CERT_FILE:-}" /etc/ssl/certs/ca-certificates.crt; do
        [ -f "$file" ] || continue
        cp "$file" "$1/authorities.pem"
        echo "cert = /mnt/authorities.pem" >>"$1/pip.conf"
        return
    done
}

build() {
    pip_settings "$here/pip"
    say "building $2 on $1, which takes five minutes, most of them for the engine"
    # All files are of 1970: layers are the same where what is in them is. No layer is kept for the next time: with this
    # storage looking all of them up takes as long as making them.
    b build --isolation chroot --layers=false --timestamp 0 \
        --volume "$here/pip:/mnt:ro" \
        --build-arg "BASE=$1" --build-arg "VERSION=$version" \
        --build-arg "REVISION=$(git describe --always --dirty --abbrev=40 2>/dev/null || echo unknown)" \
        --file deploy/Dockerfile --tag "$2" . >"$here/build.log" 2>&1 || {
        tail -n 30 "$here/build.log" >&2
        die "could not build: the whole of it is in build/image/build.log"
    }
    b rmi --prune >/dev/null
}

# Runs a command with the root of a container made of an image: inside IMAGE COMMAND...
inside() {
    container=$(b from "$1")
    shift
    # shellcheck disable=SC2064 # this container, now
    trap "b rm '$container' >/dev/null" EXIT
    "$@" "$(b mount "$container")"
    b rm "$container" >/dev/null
    trap - EXIT
}

# In megabytes, as it lies on a node's disk.
size_of() { inside "$1" du --summarize --apparent-size --block-size=MB | cut -f1 | tr -d MB; }

# Nothing in the root under $1 may name a host that packages came from here. PyPI's own is in many packages' descriptions.
no_hosts() {
    sed -n 's|^[^#]*://\([^/]*@\)\{0,1\}\([^/:]*\).*|\2|p' "$here/pip/pip.conf" | grep -vx pypi.org >"$here/hosts" || return 0
    found=$(grep -rlF -f "$here/hosts" "$1/opt" "$1/etc" "$1/root" "$1/mnt" || true)
    [ -z "$found" ] || die "names a host that packages came from: $found"
}

try() {
    b inspect --type image "$1" >"$here/image.json"
    inside "$1" no_hosts
    inside "$1" unshare --mount --propagation private "$python" tools/image_trial.py "$here/image.json"
}

# Whatever ends this, what was mounted or begun goes with it: the trap of `inside` runs at the exit.
trap 'say "interrupted"; exit 130' INT TERM HUP
need_programs
mkdir -p "$here"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' services/pyproject.toml)
image=localhost/arena:$version
base=${BASE:-localhost/arena-base:bookworm}
[ -n "${BASE:-}" ] || make_base "$base"
build "$base" "$image"
try "$image"
rm -f "$here/arena.tar"
b push -q "$image" "oci-archive:$here/arena.tar:arena:$version"
below=$(size_of "$base") whole=$(size_of "$image")
say "arena:$version is $((whole - below)) MB over a base of $below MB, $whole MB in all;" \
    "$(du --apparent-size --block-size=MB "$here/arena.tar" | cut -f1 | tr -d MB) MB compressed, in build/image/arena.tar"
