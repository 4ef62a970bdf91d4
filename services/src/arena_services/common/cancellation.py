"""Cancellation that holds although a library swallows it."""

from __future__ import annotations

import asyncio


def check_cancelled() -> None:
    """Raise `CancelledError` if this task was asked to end and has gone on all the same.

    Before Python 3.12 `asyncio.wait_for`, and so every request of the NATS client, forgets a cancellation that comes
    in the very moment of the answer. A loop around such calls asks here once a round, or it may never end.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
