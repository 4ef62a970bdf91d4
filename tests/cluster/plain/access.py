"""Who asks, and what they may: the owner of the cluster everything, a pod's account what Roles give it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from tests.cluster.plain import kinds
from tests.cluster.plain.store import Refused, Store

_OWNER = "owner"


@dataclass(frozen=True)
class Ask:
    """One request, as Roles speak of it."""

    verb: str
    group: str
    resource: str
    """Plural, with its subresource: `deployments/scale`."""
    namespace: str = ""
    name: str = ""


@dataclass
class Access:
    """Tokens, and the rights that come with them."""

    store: Store
    owner_token: str = field(default_factory=lambda: secrets.token_hex(16))
    _accounts: dict[str, tuple[str, str]] = field(default_factory=dict)

    def token(self, namespace: str, account: str) -> str:
        """A token for a ServiceAccount, as pods are given it."""
        token = secrets.token_hex(16)
        self._accounts[token] = (namespace, account)
        return token

    def who(self, token: str) -> str:
        """Whose token it is. Raises `Refused` for nobody's."""
        if token == self.owner_token:
            return _OWNER
        if token in self._accounts:
            return "system:serviceaccount:" + ":".join(self._accounts[token])
        raise Refused(401, "Unauthorized", "Unauthorized")

    def check(self, who: str, ask: Ask) -> None:
        """Raise `Refused` for what somebody may not do."""
        if not self.may(who, ask):
            raise Refused(
                403,
                "Forbidden",
                f'User "{who}" cannot {ask.verb} resource "{ask.resource}" in API group "{ask.group}" '
                f'in the namespace "{ask.namespace}"',
            )

    def may(self, who: str, ask: Ask) -> bool:
        """Whether somebody may do something."""
        return who == _OWNER or any(_allows(rule, ask) for rule in self._rules(who, ask.namespace))

    def _rules(self, who: str, namespace: str) -> list[dict[str, Any]]:
        rules: list[dict[str, Any]] = []
        for binding in self.store.list(kinds.ROLE_BINDING, namespace):
            accounts = [
                f"system:serviceaccount:{each.get('namespace', namespace)}:{each['name']}"
                for each in binding.get("subjects", ())
            ]
            role = self.store.find(kinds.ROLE, namespace, binding["roleRef"]["name"])
            if who in accounts and role is not None:
                rules += role["rules"]
        return rules


def _allows(rule: dict[str, Any], ask: Ask) -> bool:
    names = rule.get("resourceNames")
    return (
        ask.verb in rule["verbs"]
        and ask.group in rule["apiGroups"]
        and ask.resource in rule["resources"]
        and (not names or ask.name in names)
    )
