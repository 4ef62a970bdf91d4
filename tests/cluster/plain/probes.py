"""Probes of a container, by HTTP and by gRPC health, with Kubernetes' defaults."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Mapping
from typing import Any

import grpc
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub


class Probe:
    """One probe of one container."""

    def __init__(self, spec: Mapping[str, Any], ip: str, container: Mapping[str, Any]) -> None:
        self._spec = spec
        self._ip = ip
        self._ports = {each["name"]: each["containerPort"] for each in container.get("ports", ())}
        self._channel: grpc.aio.Channel | None = None

    async def changes(self, passes: bool) -> AsyncIterator[bool]:
        """Whether it passes, each time that this changes; `passes`: what is so at first."""
        spec, count = self._spec, 0
        await asyncio.sleep(spec.get("initialDelaySeconds", 0))
        thresholds = {True: spec.get("successThreshold", 1), False: spec.get("failureThreshold", 3)}
        try:
            while True:
                said = await self._ask()
                count = 0 if said == passes else count + 1
                if count >= thresholds[said]:
                    passes, count = said, 0
                    yield said
                await asyncio.sleep(spec.get("periodSeconds", 10))
        finally:
            if self._channel is not None:
                await self._channel.close()

    async def _ask(self) -> bool:
        seconds = self._spec.get("timeoutSeconds", 1)
        if "grpc" in self._spec:
            return await self._ask_grpc(seconds)
        return await asyncio.to_thread(self._get, seconds)

    async def _ask_grpc(self, seconds: float) -> bool:
        asked = self._spec["grpc"]
        if self._channel is None:
            self._channel = grpc.aio.insecure_channel(f"{self._ip}:{asked['port']}")
        request = health_pb2.HealthCheckRequest(service=asked.get("service", ""))
        try:
            answer = await HealthStub(self._channel).Check(request, timeout=seconds)
        except grpc.aio.AioRpcError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    def _get(self, seconds: float) -> bool:
        asked = self._spec["httpGet"]
        port = self._ports.get(asked["port"], asked["port"])
        url = f"http://{self._ip}:{port}{asked.get('path', '/')}"
        try:
            with urllib.request.urlopen(url, timeout=seconds) as page:
                return bool(page.status < 400)
        except (OSError, ValueError):
            return False
