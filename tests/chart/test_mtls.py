"""With mtls every part has a certificate that the others know it by, NATS among them, and uses it."""

from __future__ import annotations

from arena_services.common.tls import name_of
from tests.chart.chart import NAMESPACE, PARTS, render

FILES = {
    "ARENA_TLS_CERT_FILE": "/run/arena/tls/tls.crt",
    "ARENA_TLS_KEY_FILE": "/run/arena/tls/tls.key",
    "ARENA_TLS_CA_FILE": "/run/arena/tls/ca.crt",
}


def test_every_part_has_a_certificate_of_its_own_and_reads_it() -> None:
    rendered = render("mtls")
    certificates = {
        each["metadata"]["labels"]["app.kubernetes.io/component"]: each["spec"]
        for each in rendered.of_kind("Certificate")
        if not each["spec"].get("isCA")
    }
    assert set(certificates) == set(PARTS)
    for part, spec in certificates.items():
        assert name_of(part) in spec["dnsNames"]
        # Each is server and client: a room is called by rooms.
        assert spec["usages"] == ["server auth", "client auth"]
        pod = rendered.pod(part)
        assert FILES.items() <= {name: each.get("value") for name, each in pod.env.items()}.items()
        volumes = {each["name"]: each for each in pod.spec["volumes"]}
        assert volumes["tls"]["secret"]["secretName"] == spec["secretName"]


def test_nats_is_reached_by_tls_and_its_servers_bear_the_names_of_their_routes() -> None:
    rendered = render("mtls")
    (spec,) = (
        each["spec"]
        for each in rendered.of_kind("Certificate")
        if each["metadata"]["name"] == "arena-nats"
    )
    routes = rendered.pod("nats").env["ARENA_NATS_ROUTES"]["value"].split(",")
    assert {each.rpartition(":")[0] for each in routes} <= set(spec["dnsNames"])
    for pod in rendered.pods:
        if "ARENA_NATS_URL" in pod.env:
            servers = pod.env["ARENA_NATS_URL"]["value"].split(",")
            assert len(servers) == 3
            assert all(each.startswith("tls://") for each in servers)


def test_the_authority_signs_nothing_else() -> None:
    rendered = render("mtls")
    (authority,) = (each for each in rendered.of_kind("Certificate") if each["spec"].get("isCA"))
    issuers = {each["metadata"]["name"]: each["spec"] for each in rendered.of_kind("Issuer")}
    assert issuers["arena-authority"] == {"ca": {"secretName": authority["spec"]["secretName"]}}
    assert issuers["arena-authority-root"] == {"selfSigned": {}}
    assert all(each["metadata"]["namespace"] == NAMESPACE for each in rendered.of_kind("Issuer"))


def test_another_signer_may_be_named() -> None:
    rendered = render("mtls", "mtls.issuerRef.name=vault", "mtls.issuerRef.kind=ClusterIssuer")
    assert not rendered.of_kind("Issuer")
    for each in rendered.of_kind("Certificate"):
        assert each["spec"]["issuerRef"] == {"name": "vault", "kind": "ClusterIssuer"}


def test_probes_do_not_speak_grpc_where_that_is_tls() -> None:
    for pod in render("mtls").pods:
        for kind in ("startup", "readiness", "liveness"):
            assert "grpc" not in pod.container.get(f"{kind}Probe", {}), pod.name
    for each in render("mtls").of_kind("Service"):
        assert not [port for port in each["spec"]["ports"] if "appProtocol" in port]


def test_an_external_nats_by_an_authority_of_its_own() -> None:
    pod = render("external-nats").pod("room")
    assert pod.env["ARENA_NATS_CA_FILE"]["value"] == "/run/arena/nats-authority/ca.crt"
    (volume,) = (each for each in pod.spec["volumes"] if each["name"] == "nats-authority")
    assert volume["secret"]["secretName"] == "nats-authority"
    assert volume["secret"]["items"] == [{"key": "ca.crt", "path": "ca.crt"}]
