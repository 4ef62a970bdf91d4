"""Events in a few words each, as a preview has them: what the viewer's own act would bring.

Unlike the chronicle it speaks to the one who acts, and of hidden cards it says only that there are some.
"""

from __future__ import annotations

from arena_engine.singhasan import events as ev
from arena_engine.singhasan.words import (
    ideology_name,
    province_name,
    resources_text,
)


def foretold(event: ev.EventBody, viewer: int) -> str:
    """One event in a few words; empty for what is told otherwise, or not worth it."""
    return _of_followers(event, viewer) or _of_oaths(event, viewer) or _of_rest(event, viewer)


def who(seat: int, viewer: int) -> str:
    """A seat, or you."""
    return "you" if seat == viewer else f"seat {seat}"


def _whose(seat: int, viewer: int) -> str:
    return "yours" if seat == viewer else f"seat {seat}"


def _does(seat: int, viewer: int, verb: str) -> str:
    """A seat, or you, and what it does."""
    return f"{who(seat, viewer)} {verb}{'' if seat == viewer else 's'}"


def _some(count: int, seat: int, viewer: int, verb: str) -> str:
    """So many followers of a seat, and what they do."""
    whose = _whose(seat, viewer)
    if count == 1:
        return f"a follower of {whose} {verb}{'es' if verb.endswith('o') else 's'}"
    return f"{count} followers of {whose} {verb}"


def _of_followers(event: ev.EventBody, viewer: int) -> str:
    match event:
        case ev.Hired():
            some = _some(event.followers, event.seat, viewer, "enter")
            said = f"{some} {province_name(event.province)}"
        case ev.FollowersPlaced():
            some = _some(event.count, event.seat, viewer, "enter")
            said = f"{some} {province_name(event.province)}"
        case ev.FollowersRemoved():
            some = _some(event.count, event.seat, viewer, "leave")
            said = f"{some} {province_name(event.province)}"
        case ev.FollowersMoved():
            some = _some(event.count, event.seat, viewer, "go")
            said = f"{some} to {province_name(event.to_province)}"
        case ev.Marched():
            said = f"{_some(1, event.owner, viewer, 'go')} to {province_name(event.to_province)}"
        case ev.FollowerReplaced():
            whose = _whose(event.from_seat, viewer)
            by = _whose(event.to_seat, viewer)
            place = province_name(event.province)
            said = f"a follower of {whose} in {place} gives its place to one of {by}"
        case _:
            said = ""
    return said


def _of_oaths(event: ev.EventBody, viewer: int) -> str:
    match event:
        case ev.ProvinceSworn():
            return f"{province_name(event.province)} swears to {who(event.seat, viewer)}"
        case ev.ProvinceBroke():
            return f"{province_name(event.province)} breaks with {who(event.seat, viewer)}"
        case ev.ProvinceSealed():
            return f"{province_name(event.province)} is Sealed"
        case ev.EndTriggered():
            return "the end comes in sight"
        case _:
            return ""


def _of_rest(event: ev.EventBody, viewer: int) -> str:
    match event:
        case ev.ResourcesLost() if event.seat != viewer:
            said = f"{_does(event.seat, viewer, 'lose')} {resources_text(event.resources)}"
        case ev.ResourcesGained() if event.seat != viewer:
            said = f"{_does(event.seat, viewer, 'gain')} {resources_text(event.resources)}"
        case ev.AnswerLost():
            answer = f"an answer of {ideology_name(event.ideology)}"
            said = f"{_does(event.seat, viewer, 'lose')} {answer}"
        case ev.ConspiracyBought():
            said = f"{_does(event.seat, viewer, 'get')} a Conspiracy"
        case ev.ConspiracyTaken():
            taken = f"a Conspiracy of {_whose(event.from_seat, viewer)}"
            said = f"{_does(event.to_seat, viewer, 'take')} {taken}"
        case ev.ConspiracyLost():
            said = f"{_does(event.seat, viewer, 'lose')} a Conspiracy"
        case ev.CardsSeen() if event.seat == viewer:
            said = "shows you hidden cards"
        case ev.LastingBegan():
            said = "stays in force for a while"
        case _:
            said = ""
    return said
