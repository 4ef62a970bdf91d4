"""Lists of legal actions: numbered, narrowed word by word, summed up where they are long."""

from __future__ import annotations

from arena_services.cli import menu
from arena_services.cli.menu import Choice


def choices(*notations: str) -> list[Choice]:
    return [Choice(n, text, f"Do {text}") for n, text in enumerate(notations)]


def notations(found: list[Choice]) -> list[str]:
    return [choice.notation for choice in found]


MANY = choices(
    *(f"hire {slot} place{n}" for slot in (1, 2) for n in range(30)),
    *(f"march a{n} b" for n in range(30)),
    "play 1 s2",
    "play 12 s3",
    "end",
)


def test_beginning_goes_by_whole_words_first() -> None:
    assert notations(menu.beginning(MANY, "play 1")) == ["play 1 s2"]
    assert len(menu.beginning(MANY, "hire 2")) == 30


def test_beginning_goes_by_characters_where_no_words_fit() -> None:
    assert notations(menu.beginning(MANY, "EN")) == ["end"]
    assert notations(menu.beginning(MANY, "play  1  s")) == ["play 1 s2"]
    assert menu.beginning(MANY, "fly") == []


def test_containing_minds_capitals_where_there_are_some() -> None:
    found = choices("1-2 K", "1-2 k")
    assert notations(menu.containing(found, "K")) == ["1-2 K"]
    assert notations(menu.containing(found, "do 1")) == ["1-2 K", "1-2 k"]


def test_short_list_is_numbered() -> None:
    few = choices("pass", "end")
    assert menu.listing(few) == (
        ["   1  pass             Do pass", "   2  end              Do end"],
        few,
    )


def test_long_list_is_summed_up_by_the_next_word() -> None:
    lines, numbered = menu.listing(MANY)
    assert [line.split() for line in lines[:-1]] == [
        ["hire", "60"],
        ["march", "30"],
        ["play", "2"],
        ["end", "1"],
    ]
    assert numbered == (), "numbers mean nothing where none are shown"
    narrowed, _ = menu.listing(menu.beginning(MANY, "hire"), "hire")
    assert [line.split() for line in narrowed[:-1]] == [["hire", "1", "30"], ["hire", "2", "30"]]
    assert "beginning" in narrowed[-1]


def test_long_list_of_many_words_shows_its_first_and_how_to_narrow_it() -> None:
    shown, numbered = menu.listing(choices(*(f"{n}-{n + 1} K" for n in range(60))))
    assert len(shown) == menu.MOST_LISTED + 1
    assert len(numbered) == menu.MOST_LISTED
    assert shown[-1] == "... and 20 more; moves TEXT narrows the list."


def test_summary_names_first_words_or_the_number_alone() -> None:
    assert menu.summary(MANY) == "hire (60), march (30), play (2), end"
    assert menu.summary(choices(*(f"{n} K" for n in range(60)))) == "60 are legal"
