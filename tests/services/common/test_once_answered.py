from __future__ import annotations

import pytest
from nats.errors import NoRespondersError
from nats.js.errors import BadRequestError, NoStreamResponseError, ServiceUnavailableError

from arena_services.common.nats import once_answered


class Store:
    """Fails so often, each time with the next of these."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)

    async def open(self) -> str:
        if self.failures:
            raise self.failures.pop(0)
        return "open"


async def test_jetstream_without_a_leader_is_asked_again() -> None:
    alone = BadRequestError(code=400, err_code=10005)
    store = Store(
        ServiceUnavailableError(), ExceptionGroup("streams", [NoRespondersError(), alone]), alone
    )
    assert await once_answered(store.open, 5) == "open"


async def test_stream_that_a_server_has_not_heard_of_yet_is_asked_for_again() -> None:
    assert await once_answered(Store(NoStreamResponseError()).open, 5) == "open"


async def test_patience_ends() -> None:
    with pytest.raises(ServiceUnavailableError):
        await once_answered(Store(*[ServiceUnavailableError() for _ in range(9)]).open, 0.3)


@pytest.mark.parametrize(
    "failure", [BadRequestError(), ExceptionGroup("", [NoRespondersError(), BadRequestError()])]
)
async def test_what_cannot_pass_is_raised_at_once(failure: Exception) -> None:
    store = Store(failure)
    with pytest.raises(type(failure)):
        await once_answered(store.open, 5)
    assert not store.failures
