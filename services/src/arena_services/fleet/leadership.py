"""Which fleet process acts: the holder of a Lease in the cluster.

The holder trusts its lease for less time than others wait before they take it, counted from before each renewal was
sent. A process that was paused finds that out by `check`, which is asked right before each step; what slips through all
the same is refused by the cluster, since every change of the scale names the version that it was decided on.
"""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Any

from arena_services.common import logs
from arena_services.fleet import metrics
from arena_services.fleet.cluster import Cluster
from arena_services.fleet.errors import (
    ConflictError,
    FleetError,
    ForbiddenError,
    LeaseLostError,
    NotFoundError,
    ThrottledError,
)
from arena_services.fleet.troubles import Troubles

LEASE_SECONDS = 10
_TRUSTED_SECONDS = 7.0
_RENEW_SECONDS = 2.0

_Lease = dict[str, Any]
"""As in JSON."""

_log = logs.get()


class Leadership:
    """Takes the Lease when it is free and renews it; never gives it up but by silence or `release`."""

    def __init__(self, cluster: Cluster, name: str, holder: str) -> None:
        self._cluster = cluster
        self._name = name
        self._holder = holder
        self._trusted_until = 0.0
        self._seen: tuple[str, float] = ("", 0.0)
        self._changing = asyncio.Lock()
        self._is_over = False
        self.is_blind = False
        """Whether the cluster did not answer when it was last asked."""
        metrics.IS_LEADER.set_function(lambda: self.is_held)

    @property
    def is_held(self) -> bool:
        """Whether nobody else can lead yet."""
        return time.monotonic() < self._trusted_until

    def check(self) -> None:
        """Raise `LeaseLostError` unless this process leads."""
        if not self.is_held:
            raise LeaseLostError(f"the lease {self._name} is not, or no longer, ours")

    async def run(self) -> None:
        """Try to lead until `release`."""
        was_held = False
        troubles = Troubles("lease not asked for")
        while not self._is_over:
            pause = _RENEW_SECONDS
            try:
                async with self._changing:
                    await self.attempt()
                self.is_blind = False
                troubles.end()
            except ConflictError:
                self.is_blind = False  # another was quicker
            except FleetError as error:
                self.is_blind = not isinstance(error, ForbiddenError)
                troubles.tell(error)
                if isinstance(error, ThrottledError):
                    pause = max(pause, error.seconds)
            if was_held != self.is_held:
                was_held = self.is_held
                _log.info("leadership changed", is_leader=was_held)
            await asyncio.sleep(pause)

    async def attempt(self) -> None:
        """Take or renew the Lease, if it is ours or free. Raises `FleetError`."""
        if self._is_over:
            return
        sent = time.monotonic()
        lease = await self._read()
        if lease is None:
            await self._write("create", None)
        elif _holder(lease) in {self._holder, ""} or self._has_run_out(lease):
            await self._write("update", _version(lease))
        else:
            self._trusted_until = 0.0
            return
        self._trusted_until = sent + _TRUSTED_SECONDS

    async def release(self) -> None:
        """Let the next one lead at once, as far as the cluster can be reached."""
        self._is_over = True
        try:
            async with self._changing:
                if not self.is_held:
                    return
                self._trusted_until = 0.0
                lease = await self._read()
                if lease is not None and _holder(lease) == self._holder:
                    await self._write("update", _version(lease), holder="")
        except FleetError as error:
            _log.info("lease left to run out", error=str(error))

    def _has_run_out(self, lease: _Lease) -> bool:
        """Whether it stood unchanged for its whole time by our own clock: nobody else's is trusted."""
        version, since = self._seen
        if version != _version(lease):
            self._seen = (_version(lease), time.monotonic())
            return False
        seconds = lease.get("spec", {}).get("leaseDurationSeconds") or LEASE_SECONDS
        return bool(time.monotonic() - since >= seconds)

    async def _read(self) -> _Lease | None:
        try:
            found: _Lease = await self._cluster.call(
                "get",
                "leases",
                self._cluster.coordination.read_namespaced_lease,
                name=self._name,
            )
            return found
        except NotFoundError:
            return None

    async def _write(self, verb: str, version: str | None, holder: str | None = None) -> None:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        body: dict[str, Any] = {
            "apiVersion": "coordination.k8s.io/v1",
            "kind": "Lease",
            "metadata": {"name": self._name, "namespace": self._cluster.namespace},
            "spec": {
                "holderIdentity": self._holder if holder is None else holder,
                "leaseDurationSeconds": LEASE_SECONDS,
                "renewTime": now,
            },
        }
        api = self._cluster.coordination
        if version is None:
            await self._cluster.call(verb, "leases", api.create_namespaced_lease, body=body)
        else:
            body["metadata"]["resourceVersion"] = version
            await self._cluster.call(
                verb, "leases", api.replace_namespaced_lease, name=self._name, body=body
            )


def _holder(lease: _Lease) -> str:
    return lease.get("spec", {}).get("holderIdentity") or ""


def _version(lease: _Lease) -> str:
    return str(lease["metadata"].get("resourceVersion", ""))
