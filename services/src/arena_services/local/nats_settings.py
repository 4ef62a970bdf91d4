"""Settings of one NATS server, from which its configuration is rendered as on one machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, NonNegativeInt, StringConstraints, model_validator
from pydantic_settings import NoDecode

from arena_services.common.addresses import Address
from arena_services.common.config import TlsSettings, split_list
from arena_services.common.nats import Login
from arena_services.local import nats_users
from arena_services.local.nats_server import ClusterPlace, NatsConfig

_PEERS = "cluster"

_Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]{0,62}$")]


class NatsSettings(TlsSettings):
    """What one server needs to know. With a certificate it takes nobody without: neither services nor other servers."""

    instance: _Name = "nats"
    """The server's name, unique in its cluster."""
    nats_listen: Address = "127.0.0.1:4222"
    """Where services connect."""
    nats_monitor_listen: Address = "127.0.0.1:8222"
    """Where /healthz, /varz and the like are served; on the same host."""
    nats_cluster_listen: Address = "127.0.0.1:6222"
    """Where the other servers of the cluster connect; on the same host."""
    nats_cluster_name: _Name = "arena"
    """The same for all servers of a cluster."""
    nats_routes: Annotated[tuple[Address, ...], NoDecode, split_list] = ()
    """The servers of the cluster, host:port, separated by commas; none: this one is alone."""
    nats_store_dir: Path
    """JetStream's folder, on a disk that survives restarts."""
    nats_store_bytes: NonNegativeInt = 0
    """How much JetStream may store; 0: three quarters of what the disk has free."""
    nats_logins_dir: Path
    """A folder with a file for each user of Arena, named as the user, that holds the password; in a cluster also one
    named `cluster`, for what the servers show to each other."""
    nats_config_dir: Path = Field(default=Path("/tmp"))  # noqa: S108 - a file of our own, private and made anew
    """Where the configuration is written, for its owner alone."""

    @model_validator(mode="after")
    def _check_hosts(self) -> Self:
        hosts = {
            _split(each)[0]
            for each in (self.nats_listen, self.nats_monitor_listen, self.nats_cluster_listen)
        }
        if len(hosts) > 1:
            raise ValueError(f"the three addresses to listen on name several hosts: {hosts}")
        names = [*(user.name for user in nats_users.USERS), *([_PEERS] if self.nats_routes else [])]
        missing = [name for name in names if not (self.nats_logins_dir / name).is_file()]
        if missing:
            raise ValueError(
                f"{self.nats_logins_dir} has no password for {', '.join(missing)}: one file for each, named so"
            )
        return self

    def to_config(self) -> NatsConfig:
        """As the server's configuration is rendered from. Raises OSError for passwords that cannot be read."""
        host, port = _split(self.nats_listen)
        place = None
        if self.nats_routes:
            cluster_port = _split(self.nats_cluster_listen)[1]
            name, peers = self.nats_cluster_name, self._login(_PEERS)
            place = ClusterPlace(self.instance, cluster_port, self.nats_routes, name, peers)
        return NatsConfig(
            port,
            _split(self.nats_monitor_listen)[1],
            cluster=place,
            logins=tuple(self._login(user.name) for user in nats_users.USERS),
            host=host,
            store_bytes=self.nats_store_bytes or None,
            tls=self.tls,
        )

    def _login(self, name: str) -> Login:
        return Login(name, (self.nats_logins_dir / name).read_text().strip())


def _split(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    return host, int(port)
