"""The edge's settings, the same on one machine and in a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator
from pydantic_settings import NoDecode

from arena_services.common.addresses import Address
from arena_services.common.config import TlsSettings, split_list

_Addresses = Annotated[tuple[Address, ...], NoDecode, split_list]


class EdgeSettings(TlsSettings):
    """Where to listen, where to send, and how much of it."""

    listen: Address = "127.0.0.1:7480"
    """Where people and their clients come in: HTTP/1.1 and HTTP/2."""
    metrics_listen: Address = "127.0.0.1:7481"
    """Envoy's own pages: /ready, /stats/prometheus."""
    matchmaking_addresses: _Addresses
    """Matchmaking replicas, host:port, separated by commas; a name may stand for several."""
    room_addresses: _Addresses
    """Rooms, likewise. Any room answers for any match."""
    page_dir: Path
    """Folder of the built page. Where it is missing, the edge serves the API alone."""
    allowed_origins: Annotated[tuple[str, ...], NoDecode, split_list] = ()
    """Other origins whose pages may call the API, such as https://play.example.org; * for any."""
    calls_per_second: int = Field(default=50, ge=1)
    """What one connection may ask for in the long run; bursts of four times as much pass."""
    max_request_bytes: int = Field(default=256 * 1024, ge=1024)
    """What the edge buffers of one connection; services refuse requests well below."""
    max_connections: int = Field(default=20_000, ge=1)
    """Connections of people and clients at once; more are turned away."""
    edge_threads: int = Field(default=1, ge=1, le=64)
    """Envoy's worker threads: as many as it may use cores."""
    public_cert_file: Path | None = None
    """The certificate, with its chain, that people are shown: PEM. Without it and its key people come in plainly."""
    public_key_file: Path | None = None
    """Its key."""

    @model_validator(mode="after")
    def _check_public_tls(self) -> Self:
        public = (self.public_cert_file, self.public_key_file)
        given = [file for file in public if file is not None]
        if len(given) == 1:
            raise ValueError("public_cert_file and public_key_file go together: set both or none")
        missing = [str(file) for file in given if not file.is_file()]
        if missing:
            raise ValueError(f"there is no file {', '.join(missing)}")
        return self
