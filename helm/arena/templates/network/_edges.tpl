{{/*
Who connects to whom, the same list as in docs/architecture.md ("In a cluster"). Parts that a release does not have are
left out by the policies, which are made from this.
*/}}
{{- define "arena.edges" -}}
- {from: edge, to: matchmaking, port: 7400}
- {from: edge, to: room, port: 7400}
- {from: matchmaking, to: room, port: 7400}
- {from: room, to: room, port: 7400}
- {from: bot, to: room, port: 7400}
- {from: timer, to: room, port: 7400}
- {from: fleet, to: room, port: 7400}
- {from: matchmaking, to: nats, port: 4222}
- {from: room, to: nats, port: 4222}
- {from: bot, to: nats, port: 4222}
- {from: timer, to: nats, port: 4222}
- {from: fleet, to: nats, port: 4222}
- {from: fleet, to: nats, port: 8222}
- {from: nats, to: nats, port: 6222}
- {from: people, to: edge, port: 7480}
- {from: test, to: edge, port: 7480}
- {from: monitoring, to: matchmaking, port: 7490}
- {from: monitoring, to: room, port: 7490}
- {from: monitoring, to: bot, port: 7490}
- {from: monitoring, to: timer, port: 7490}
- {from: monitoring, to: fleet, port: 7490}
- {from: monitoring, to: edge, port: 7490}
- {from: fleet, to: kube-api, port: 443}
- {from: matchmaking, to: traces}
- {from: room, to: traces}
- {from: bot, to: traces}
- {from: timer, to: traces}
- {from: fleet, to: traces}
{{- end -}}

{{/* A peer in a NetworkPolicy: the pods of a part. */}}
{{- define "arena.peer" -}}
- podSelector:
    matchLabels:
      {{- include "arena.selector" . | nindent 6 }}
{{- end -}}
