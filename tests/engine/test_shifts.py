"""What is compiled shifts constants no farther than 32 bits reach.

In compiled code `1 << n` is C as it stands, with `i64(1)` for the 1, too: the constant is a C `int`, and what is
shifted past its 31 bits is lost without a word. So a constant may only be shifted by what is known to be small, by its
name; a bit of a packed action comes from a table, as in `packing.one_of`.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ENGINE = Path(__file__).parents[2] / "engine"
FARTHEST = 2**31 - 1
OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.LShift: operator.lshift,
}
#: The most that goes by each of these names, wherever it shifts a constant.
MOST = {
    **dict.fromkeys(("seat", "rival", "other", "owner", "turn", "players"), 6),
    **dict.fromkeys(("province", "start", "goal", "numbers"), 15),
    **dict.fromkeys(("kind", "best"), 3),
    "register": 7,
    "place": 17,
}


def hot_modules() -> list[str]:
    """What the build compiles, as it says itself."""
    for node in ast.parse((ENGINE / "setup.py").read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "HOT_MODULES":
            games = ast.literal_eval(node.value)
            return [f"arena_engine.{game}.{name}" for game in games for name in games[game]]
    raise LookupError("setup.py has no HOT_MODULES")


def constant(tree: ast.expr, module: ModuleType) -> int | None:
    """What an expression comes to where compiled code knows it beforehand."""
    value: object = None
    if isinstance(tree, ast.Constant):
        value = tree.value
    elif isinstance(tree, ast.Name):
        value = getattr(module, tree.id, None)
    elif isinstance(tree, ast.Call) and ast.unparse(tree.func) == "i64":
        value = constant(tree.args[0], module)
    elif isinstance(tree, ast.Subscript) and isinstance(tree.value, ast.Name):
        values = getattr(module, tree.value.id, None)
        value = values[constant(tree.slice, module) or 0] if isinstance(values, tuple) else None
    elif isinstance(tree, ast.BinOp) and type(tree.op) in OPERATORS:
        left, right = constant(tree.left, module), constant(tree.right, module)
        if left is not None and right is not None:
            value = OPERATORS[type(tree.op)](left, right)
    return value if isinstance(value, int) else None


def most(tree: ast.expr, module: ModuleType) -> int:
    """The most that an expression (of a list: each part) comes to; `LookupError` where that is not known."""
    known = constant(tree, module)
    if known is not None:
        return known
    if isinstance(tree, ast.Name):
        return MOST[tree.id]
    if isinstance(tree, ast.Attribute):
        return MOST[tree.attr]
    if isinstance(tree, ast.Subscript):
        return most(tree.value, module)
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add):
        return most(tree.left, module) + most(tree.right, module)
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult):
        return most(tree.left, module) * most(tree.right, module)
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mod):
        return most(tree.right, module) - 1
    raise LookupError(ast.unparse(tree))


def far_shifts(source: str, module: ModuleType) -> Iterator[str]:
    """The shifts of constants, in functions, that may go too far or whose reach is not known."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    for node in [node for function in functions for node in ast.walk(function)]:
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.LShift):
            continue
        shifted = constant(node.left, module)
        if shifted is None or constant(node.right, module) is not None:
            continue
        try:
            is_far = shifted << most(node.right, module) > FARTHEST
        except LookupError:
            is_far = True
        if is_far:
            yield f"line {node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize("name", hot_modules())
def test_no_constant_is_shifted_far(name: str) -> None:
    source = ENGINE / "src" / Path(*name.split(".")).with_suffix(".py")
    assert list(far_shifts(source.read_text(), import_module(name))) == []


@pytest.mark.parametrize(
    "shift",
    ["1 << bits", "i64(1) << (4 * best + 20)", "NIBBLE << (8 * kind + 4)", "1 << len(items)"],
)
def test_far_shifts_are_found(shift: str) -> None:
    packing = import_module("arena_engine.singhasan.packing")
    assert len(list(far_shifts(f"def f():\n    return {shift}", packing))) == 1


@pytest.mark.parametrize(
    "shift", ["i64(1) << seat", "NIBBLE << (4 * kind)", "bits << 40", "1 << ASKED"]
)
def test_near_shifts_are_left_alone(shift: str) -> None:
    packing = import_module("arena_engine.singhasan.packing")
    assert list(far_shifts(f"def f():\n    return {shift}", packing)) == []
