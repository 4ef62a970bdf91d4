"""Guests at the door."""

from __future__ import annotations

import grpc
import pytest
from nats.aio.client import Client

from arena.matchmaking.v1 import matchmaking_service_pb2 as pb
from arena.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from arena_services.common.auth import Role, Tokens
from arena_services.common.errors import InvalidArgumentError
from arena_services.common.players import Players
from arena_services.common.rpc import reason_of
from arena_services.matchmaking.names import check_name, new_bots, new_player_id
from tests.services.matchmaking.conftest import sign_in


@pytest.mark.parametrize(
    "name", ["A", "x" * 24, "Zoë", "राजा", "クイーン", "O'Neil 3rd", "👑", "❤️", "👩‍🚀"]
)
def test_a_fit_name_is_kept(name: str) -> None:
    assert check_name(name) == name


def test_a_name_is_tidied() -> None:
    assert check_name("  Zoe\u0308 ") == "Zoë"


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("", "0 characters"),
        ("   ", "0 characters"),
        ("x" * 25, "25 characters"),
        ("a\nb", "U+000A"),
        ("a\x00", "U+0000"),
        ("a\u202eb", "U+202E"),
        ("\u200b", "U+200B"),
        ("\u200d", "U+200D"),
        ("a\ue000", "U+E000"),
        ("\u3164", "U+3164"),
        ("\u0301", "shows nothing"),
    ],
)
def test_an_unfit_name_is_refused_with_what_is_wrong(name: str, word: str) -> None:
    with pytest.raises(InvalidArgumentError, match="name") as caught:
        check_name(name)
    assert caught.value.reason == "BAD_NAME"
    assert word in caught.value.message


def test_bots_of_a_match_have_different_names_and_ids() -> None:
    bots = new_bots(100)
    assert len({bot.name for bot in bots}) == len({bot.player_id for bot in bots}) == 100
    assert all(bot.player_id.startswith("bot-") for bot in bots)
    assert all(check_name(bot.name) for bot in bots)


def test_player_ids_differ() -> None:
    assert new_player_id() != new_player_id()


async def test_a_guest_gets_an_account_and_a_token_that_rooms_trust(
    channel: grpc.aio.Channel, nats: Client, tokens: Tokens
) -> None:
    answer = await MatchmakingServiceStub(channel).SignIn(pb.SignInRequest(name=" Ada "))
    caller = tokens.check(answer.token)
    assert (caller.player_id, caller.name, caller.role) == (answer.player_id, "Ada", Role.PLAYER)
    assert caller.expire_time_ms == answer.expire_time_ms
    players = await Players.open(nats.jetstream(), 1)
    assert await players.names([answer.player_id, "p-nobody"]) == {
        answer.player_id: "Ada",
        "p-nobody": "p-nobody",
    }


async def test_an_unfit_name_is_refused_by_the_service(channel: grpc.aio.Channel) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await sign_in(channel, "a\tb")
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert reason_of(caught.value) == "BAD_NAME"


async def test_games_are_listed_with_their_default_options(channel: grpc.aio.Channel) -> None:
    answer = await MatchmakingServiceStub(channel).ListGames(pb.ListGamesRequest())
    crowns = next(game for game in answer.games if game.name == "crowns")
    assert (crowns.title, crowns.min_players, crowns.max_players) == ("Crowns", 2, 6)
    assert crowns.default_options.TypeName() == "arena.games.crowns.v1.Options"
