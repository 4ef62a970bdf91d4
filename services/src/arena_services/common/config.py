"""Settings that every service has, read once at its start from `ARENA_*` and handed on as arguments."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar, get_args

from pydantic import (
    BeforeValidator,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from arena_services.common.addresses import Address
from arena_services.common.tls import NATS, NatsTls, Tls, name_of


def _split(value: object) -> object:
    return tuple(part.strip() for part in value.split(",")) if isinstance(value, str) else value


#: Reads a setting that is a list: values separated by commas.
split_list = BeforeValidator(_split)


def _random_instance() -> str:
    return f"i{secrets.token_hex(4)}"


class TlsSettings(BaseSettings):
    """By what certificate a part is known to the others."""

    model_config = SettingsConfigDict(env_prefix="ARENA_", frozen=True, extra="ignore")

    tls_cert_file: Path | None = None
    """This part's certificate, for TLS with the other parts; PEM. Needs the next two; without them it is plain."""
    tls_key_file: Path | None = None
    """Its key."""
    tls_ca_file: Path | None = None
    """The authority whose certificates are taken from the other parts."""

    @model_validator(mode="after")
    def _check_tls_files(self) -> Self:
        _ = self.tls
        return self

    @property
    def tls(self) -> Tls | None:
        """What this part shows to the others, and asks of them; None where it speaks plainly."""
        return tls_of(self.tls_cert_file, self.tls_key_file, self.tls_ca_file)


class NatsAccessSettings(TlsSettings):
    """How NATS is reached, and as whom."""

    nats_url: str = "nats://127.0.0.1:7422"
    """One or more NATS servers, separated by commas; with tls:// in place of nats:// by TLS."""
    nats_ca_file: Path | None = None
    """The authority of a NATS that is not one of the parts; its certificate bears the host's name. Default: that of the
    parts, and the name that parts know NATS by; where parts have no certificates, those that this machine trusts."""
    nats_user: str = ""
    """As whom NATS knows this service; empty where it asks for no login."""
    nats_password: SecretStr = SecretStr("")
    """The user's password."""

    @model_validator(mode="after")
    def _check_nats_tls(self) -> Self:
        if self.nats_ca_file is not None and not self.nats_ca_file.is_file():
            raise ValueError(f"there is no file {self.nats_ca_file}")
        if len({each.strip().startswith("tls://") for each in self.nats_url.split(",")}) > 1:
            raise ValueError("nats_url must have tls:// before every server or before none")
        return self

    @property
    def nats_tls(self) -> NatsTls | None:
        """How NATS is known; None where it is reached plainly, by nats://."""
        if not self.nats_url.startswith("tls://"):
            return None
        if self.nats_ca_file is None and self.tls is not None:
            return NatsTls(self.tls.ca_file, self.tls, name_of(NATS))
        return NatsTls(self.nats_ca_file, self.tls)


class ServiceSettings(NatsAccessSettings):
    """What every service needs to know. Subclasses add their own."""

    instance: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")] = Field(
        default_factory=_random_instance
    )
    """This process's name, unique among its kind; it names consumers and owners in NATS."""
    nats_wait_seconds: float = Field(default=30.0, ge=0)
    """How long a start waits for NATS before it gives up."""
    listen: Address = "127.0.0.1:0"
    """Where gRPC is served. Port 0 takes a free one."""
    metrics_listen: Address = "127.0.0.1:0"
    """Where /metrics, /healthz and /readyz are served."""
    advertise: Address | None = None
    """Where other services reach this one. Default: where it listens."""
    token_key: SecretStr = Field(min_length=32)
    """Key that signs players' and services' tokens, at least 32 characters, the same for all services."""
    grace_seconds: float = Field(default=10.0, ge=0)
    """How long a stop may take to finish what is under way."""
    requests_per_second: float = Field(default=200.0, ge=0)
    """How much one player may ask of this process in the long run. 0: any number."""
    streams_per_player: int = Field(default=32, ge=1)
    """How many streams one player may have open here at once."""
    log_format: Literal["auto", "json", "console"] = "auto"
    """auto: for people on a terminal, JSON lines elsewhere."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Least severe level that is written."""
    traces_endpoint: Address | None = None
    """Where a collector takes traces, by OTLP over gRPC. Default: nothing is traced."""
    traces_share: float = Field(default=1.0, ge=0, le=1)
    """The part of all traces that is kept."""
    log_partitions: int = Field(default=8, ge=1, le=1024)
    """Streams the match log is spread over. Fixed once a platform has stored a match."""
    log_replicas: int = Field(default=1, ge=1, le=5)
    """Copies that NATS keeps of logs and buckets: 1 on one machine, 3 in a cluster."""


def tls_of(cert: Path | None, key: Path | None, ca: Path | None) -> Tls | None:
    """Three files, or None for none. Raises ValueError where some are missing."""
    if cert is None and key is None and ca is None:
        return None
    if cert is None or key is None or ca is None:
        raise ValueError(
            "ARENA_TLS_CERT_FILE, ARENA_TLS_KEY_FILE and ARENA_TLS_CA_FILE go together: set all or none"
        )
    missing = [str(file) for file in (cert, key, ca) if not file.is_file()]
    if missing:
        raise ValueError(f"there is no file {', '.join(missing)}")
    return Tls(cert, key, ca)


_Settings = TypeVar("_Settings", bound=BaseSettings)


def load(settings: type[_Settings], **given: Any) -> _Settings:
    """Read settings from the environment, those `given` aside; where any is unfit, say all that is and exit 2."""
    try:
        return settings(**given)
    except ValidationError as error:
        for problem in error.errors():
            sys.stderr.write(f"{_told(settings, problem)}\n")
        raise SystemExit(2) from None


def _told(settings: type[BaseSettings], problem: ErrorDetails) -> str:
    """What is unfit, and as what it was given: a secret never is, and so not all settings together."""
    if not problem["loc"]:
        return f"settings: {problem['msg']}"
    name = "ARENA_" + "_".join(str(part) for part in problem["loc"]).upper()
    is_shown = problem["type"] != "missing" and not _is_secret(settings, str(problem["loc"][0]))
    value = f" (it is {problem['input']!r})" if is_shown else ""
    return f"{name}: {problem['msg']}{value}"


def _is_secret(settings: type[BaseSettings], name: str) -> bool:
    kind = settings.model_fields[name].annotation
    return SecretStr in (kind, *get_args(kind))
