"""Traces within one process: what is kept, what is told, and what it costs while nothing takes them."""

from __future__ import annotations

import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from arena_engine.errors import IllegalActionError
from arena_services.common import tracing
from arena_services.common.config import ServiceSettings
from arena_services.common.errors import NotFoundError
from arena_services.common.metrics import TRACES_DROPPED
from arena_services.common.spans import KeyedShare
from tests.services.collector import Collector, collecting
from tests.services.running import TOKEN_KEY

_MATCH = "a" * 26
_KEY = TOKEN_KEY.encode()


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as running:
        yield running


def _settings(collector: Collector, **settings: Any) -> ServiceSettings:
    return ServiceSettings(
        token_key=TOKEN_KEY, instance="test-1", traces_endpoint=collector.address, **settings
    )


def test_parts_are_sent_at_the_end_at_the_latest(collector: Collector) -> None:
    with (
        tracing.exporting("test", _settings(collector)),
        tracing.begin("whole", match_id=_MATCH, seat=2),
        tracing.span("part"),
    ):
        assert collector.seen == []
    part, whole = collector.seen

    assert collector.tree(whole.span.trace_id) == ["whole (test-1)", "  part (test-1)"]
    assert whole.about == {"arena.match_id": _MATCH, "arena.seat": 2, "arena.code": "OK"}
    assert part.about == {"arena.code": "OK"}


@pytest.mark.parametrize(
    ("error", "code", "is_fault"),
    [
        (NotFoundError("NONE", "what it says"), "NOT_FOUND", False),
        (IllegalActionError("what it says"), "INVALID_ARGUMENT", False),
        (KeyError("what it says"), "INTERNAL", True),
    ],
)
def test_failure_is_told_without_its_words(
    collector: Collector, error: Exception, code: str, is_fault: bool
) -> None:
    with (
        tracing.exporting("test", _settings(collector)),
        pytest.raises(type(error)),
        tracing.begin("whole"),
    ):
        raise error
    (whole,) = collector.seen

    assert (whole.code, whole.span.status.code == 2) == (code, is_fault)
    assert b"what it says" not in collector.raw


def test_part_of_what_has_ended_is_part_of_nothing(collector: Collector) -> None:
    with tracing.exporting("test", _settings(collector)):
        work = tracing.begin("whole")
        with work.held():
            work.end()
            assert tracing.span("late") is tracing.NOTHING
            assert tracing.headers() == {}
    assert [each.span.name for each in collector.seen] == ["whole"]


def test_what_waited_belongs_to_whoever_had_it_wait(collector: Collector) -> None:
    with tracing.exporting("test", _settings(collector)):
        with tracing.begin("call"):
            waiting = tracing.span("mailbox")
        with tracing.begin("other"), waiting.over():
            assert tracing.span("of a call that has ended") is tracing.NOTHING
        call = tracing.begin("call")
        with call.held():
            waiting = tracing.span("mailbox")
        with tracing.begin("other"), waiting.over(), tracing.span("work"):
            pass
        call.end()
    _, _, _, _, work, _, second = collector.seen
    assert (work.span.name, work.span.parent_span_id) == ("work", second.span.span_id)


def test_all_who_have_the_key_keep_the_same_share() -> None:
    one, same, other = (
        KeyedShare(key, 0.25) for key in (_KEY, bytes(_KEY), b"another key, as long as that one")
    )
    ids = [int.from_bytes(secrets.token_bytes(16), "big") for _ in range(4000)]
    kept = [one.is_kept(each) for each in ids]

    assert [same.is_kept(each) for each in ids] == kept
    assert [other.is_kept(each) for each in ids] != kept
    assert 800 < sum(kept) < 1200
    larger = KeyedShare(_KEY, 0.5)
    assert all(larger.is_kept(each) for each, is_kept in zip(ids, kept, strict=True) if is_kept)


def test_what_is_not_kept_is_carried_on_all_the_same(collector: Collector) -> None:
    sent = f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01"
    with (
        tracing.exporting("test", _settings(collector, traces_share=0)),
        tracing.begin("whole", parent=sent),
    ):
        ((_, carried),) = tracing.carried(())
        assert tracing.headers() == {}
    assert carried.split("-")[1] == sent.split("-")[1]
    assert carried.endswith("-00")
    assert collector.seen == []


@pytest.mark.parametrize("nonsense", ["", "no", "00-zz-11-01", f"00-{'0' * 32}-{'0' * 16}-01"])
def test_what_is_no_traceparent_is_passed_over(collector: Collector, nonsense: str) -> None:
    with (
        tracing.exporting("test", _settings(collector)),
        tracing.begin("whole", parent=nonsense, links=(nonsense,), match_id="../" * 9),
    ):
        pass
    (whole,) = collector.seen

    assert whole.span.parent_span_id == b""
    assert not whole.span.links
    assert whole.about == {"arena.code": "OK"}


def test_what_a_stuck_collector_does_not_take_is_dropped_and_counted(collector: Collector) -> None:
    collector.is_stuck.set()
    before = _dropped("queue_full")
    began = time.monotonic()
    with tracing.exporting("test", _settings(collector, grace_seconds=0.5)):
        for _ in range(6000):
            with tracing.begin("whole"):
                pass
        assert 1000 < _dropped("queue_full") - before < 2000
    assert time.monotonic() - began < 10


def test_nothing_of_opentelemetry_is_loaded_while_off() -> None:
    program = (
        "import sys, arena_services.room.app, arena_services.matchmaking.app, arena_services.timer.app, "
        "arena_services.bot.app; from arena_services.common import tracing\n"
        "with tracing.span('part') as part: assert part is tracing.begin('whole') is tracing.NOTHING\n"
        "assert (tracing.traceparent(), tracing.headers(), tracing.carried(())) == ('', {}, ())\n"
        "sys.exit(any(name.startswith('opentelemetry') for name in sys.modules))"
    )
    assert subprocess.run((sys.executable, "-c", program), check=False, timeout=60).returncode == 0


def _dropped(reason: str) -> float:
    return float(TRACES_DROPPED.labels(reason)._value.get())
