from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena_services.cli.prompt import LineEditor

_UP, _DOWN = b"\x1b[A", b"\x1b[B"


def test_typed_lines_come_out_one_by_one() -> None:
    editor = LineEditor()
    assert editor.feed(b"one\ntw") == ["one"]
    assert editor.text == "tw"
    assert editor.feed(b"o\r") == ["two"]


def test_backspace_takes_the_last_character() -> None:
    editor = LineEditor()
    editor.feed("aé\x7f\x7f\x7fb".encode())
    assert editor.text == "b"


def test_ctrl_w_takes_the_last_word_and_ctrl_u_all() -> None:
    editor = LineEditor()
    editor.feed(b"why 12-14 K\x17")
    assert editor.text == "why 12-14"
    editor.feed(b"\x15")
    assert editor.text == ""


def test_ctrl_d_ends_the_input_only_on_an_empty_line() -> None:
    editor = LineEditor()
    assert editor.feed(b"a\x04\x7f\x04") == [None]


def test_arrows_recall_earlier_lines() -> None:
    editor = LineEditor()
    editor.feed(b"first\nsecond\n")
    editor.feed(_UP)
    assert editor.text == "second"
    editor.feed(_UP + _UP)
    assert editor.text == "first"
    editor.feed(_DOWN + _DOWN)
    assert editor.text == ""


def test_a_character_split_between_reads_is_one_character() -> None:
    editor = LineEditor()
    data = "é".encode()
    editor.feed(data[:1])
    editor.feed(data[1:])
    assert editor.text == "é"


@given(st.binary(max_size=200))
def test_no_keys_break_the_editor(data: bytes) -> None:
    editor = LineEditor()
    for line in editor.feed(data):
        assert line is None or "\n" not in line
    assert editor.text.isprintable()
