"""Builds the engine: the hot modules compiled by mypyc where that is possible and wanted.

Each game is a library of its own: both are built at once, and one can be built without the other. What both need for
every action is written once, in `shared`, and linked into each: calls from one library into another cannot be inlined,
and cost up to a tenth of the speed.
`ARENA_ENGINE_COMPILE=0` turns compiling off. Without a C compiler or without Python's headers the build goes on
uncompiled and says so; a compiler that fails on our own code is an error.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.dist import Distribution
from setuptools.errors import CCompilerError, CompileError, PlatformError

#: By game, the modules that the search for moves and their playing live in, and what a room asks for after every move.
#: The edge (events, messages, text, words) stays Python: compiled dataclasses lose the types of their fields, which the
#: codec of the services reads, and do not pickle.
HOT_MODULES = {
    "crowns": (
        "cardplay",
        "cards",
        "digest",
        "draws",
        "endings",
        "grid",
        "listing",
        "moves",
        "packing",
        "playout",
        "policy",
        "position",
        "relics",
        "turns",
        "views",
    ),
    "singhasan": (
        "aim",
        "bargains",
        "board",
        "cards",
        "changes",
        "choices",
        "claims",
        "clocks",
        "court",
        "deal",
        "digest",
        "discards",
        "draws",
        "duel",
        "effects",
        "ending",
        "ground",
        "guard",
        "hands",
        "headlines",
        "hire",
        "interrupts",
        "judgement",
        "lasting",
        "legends",
        "listing",
        "march",
        "offers",
        "packing",
        "phases",
        "playout",
        "policy",
        "position",
        "powers",
        "primitives",
        "programs",
        "quiz",
        "steps",
        "stock",
        "swearing",
        "turns",
        "views",
        "weighing",
    ),
}

#: Level 3 takes a fifth longer to build, for a few per cent of speed at most.
OPTIMISATION = "2"
#: Functions that only their own library sees are called straight and can be inlined.
HIDDEN = "-fvisibility=hidden"


def find_obstacle() -> str:
    """Why nothing can be compiled here; empty where something can."""
    if os.environ.get("ARENA_ENGINE_COMPILE", "1") == "0":
        return "ARENA_ENGINE_COMPILE is 0"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text(
            "#include <Python.h>\nint arena_probe(void) { return PY_MAJOR_VERSION; }\n"
        )
        probe = build_ext(Distribution({"ext_modules": [Extension("probe", [str(source)])]}))
        probe.build_lib = probe.build_temp = folder
        try:
            probe.ensure_finalized()
            probe.run()
        except (CCompilerError, CompileError, PlatformError) as error:
            include = sysconfig.get_path("include")
            return f"no working C compiler with Python's headers ({include}): {error}"
    return ""


def hot_extensions() -> list[Extension]:
    """The compiled modules, or none with the reason on stderr."""
    if obstacle := find_obstacle():
        sys.stderr.write(f"arena-engine: built UNCOMPILED, many times slower: {obstacle}\n")
        return []
    from mypyc.build import mypycify  # noqa: PLC0415 - needs a compiler to be worth its second

    extensions: list[Extension] = []
    for game, names in HOT_MODULES.items():
        paths = [f"src/arena_engine/{game}/{name}.py" for name in names]
        extensions += mypycify(
            paths, group_name=f"arena_engine_{game}", opt_level=OPTIMISATION, debug_level="0"
        )
    if os.name == "posix":
        for extension in extensions:
            extension.extra_compile_args.append(HIDDEN)
    # What takes longest begins first: the libraries are big, and the modules that lead into them are tiny.
    return sorted(extensions, key=lambda extension: -Path(extension.sources[0]).stat().st_size)


setup(
    ext_modules=hot_extensions(),
    options={"build_ext": {"parallel": os.cpu_count()}},
)
