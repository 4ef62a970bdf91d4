{{/*
Names, labels and what all pods have in common. Most take a dict: `root`, the chart's own context, and `part`, the name
of a part, which is also the key of its values.
*/}}

{{- define "arena.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Short enough for the longest suffix in a Service's name. */}}
{{- define "arena.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "arena.partname" -}}
{{ include "arena.fullname" .root }}-{{ .part }}
{{- end -}}

{{/* By what a part's pods are found: without the version, which changes. */}}
{{- define "arena.selector" -}}
app.kubernetes.io/name: {{ include "arena.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "arena.labels" -}}
{{ include "arena.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "arena.image" -}}
{{- with .Values.image -}}
{{ .repository }}:{{ default $.Chart.AppVersion .tag }}{{ with .digest }}@{{ . }}{{ end }}
{{- end -}}
{{- end -}}

{{- define "arena.tokenSecret" -}}
{{ default (printf "%s-token" (include "arena.fullname" .)) .Values.token.existingSecret }}
{{- end -}}

{{- define "arena.natsSecret" -}}
{{ default (printf "%s-nats" (include "arena.fullname" .)) .Values.nats.existingSecret }}
{{- end -}}

{{/* The Secret of a part's certificate towards the other parts. */}}
{{- define "arena.tlsSecret" -}}
{{ include "arena.partname" . }}-tls
{{- end -}}

{{/* NATS servers as clients are told. */}}
{{- define "arena.natsUrl" -}}
{{- $name := printf "%s-nats" (include "arena.fullname" .) -}}
{{- $scheme := ternary "tls" "nats" .Values.mtls.enabled -}}
{{- if not .Values.nats.enabled -}}
{{ required "nats.external.url is needed where nats.enabled is false" .Values.nats.external.url }}
{{- else if eq (int .Values.nats.replicas) 1 -}}
{{ $scheme }}://{{ $name }}:4222
{{- else -}}
{{- range $i := until (int .Values.nats.replicas) -}}
{{ if $i }},{{ end }}{{ $scheme }}://{{ $name }}-{{ $i }}.{{ $name }}-headless:4222
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The monitoring pages of the release's own NATS servers: how much each may store stands there. */}}
{{- define "arena.natsPages" -}}
{{- $name := printf "%s-nats" (include "arena.fullname" .) -}}
{{- range $i := until (int .Values.nats.replicas) -}}
{{ if $i }},{{ end }}{{ $name }}-{{ $i }}.{{ $name }}-headless:8222
{{- end -}}
{{- end -}}

{{- define "arena.logReplicas" -}}
{{- $servers := ternary (int .Values.nats.replicas) 3 .Values.nats.enabled -}}
{{ default (ternary 3 1 (ge $servers 3)) (int .Values.log.replicas) }}
{{- end -}}

{{/* Settings as environment: maxMatches becomes ARENA_MAX_MATCHES, lists are joined by commas. Takes `settings`, `prefix`. */}}
{{- define "arena.settings" -}}
{{- $prefix := default "" .prefix -}}
{{- range $key, $value := .settings }}
{{- if kindIs "slice" $value }}{{ $value = join "," $value }}{{ end }}
{{- /* Helm reads numbers as floating ones; a million must not become 1e+06. */}}
{{- if and (kindIs "float64" $value) (eq (floor $value) $value) }}{{ $value = int64 $value }}{{ end }}
- name: ARENA_{{ $prefix }}{{ snakecase $key | upper }}
  value: {{ toString $value | quote }}
{{- end }}
{{- end -}}

{{/* The files of a part's certificate, for services and NATS alike. */}}
{{- define "arena.tlsEnv" -}}
{{- if .Values.mtls.enabled -}}
- name: ARENA_TLS_CERT_FILE
  value: /run/arena/tls/tls.crt
- name: ARENA_TLS_KEY_FILE
  value: /run/arena/tls/tls.key
- name: ARENA_TLS_CA_FILE
  value: /run/arena/tls/ca.crt
{{- end -}}
{{- end -}}

{{- define "arena.podIp" -}}
- name: POD_IP
  valueFrom: {fieldRef: {fieldPath: status.podIP}}
{{- end -}}

{{/* What every service is told, and nothing else: each pod is given its own password alone. */}}
{{- define "arena.serviceEnv" -}}
{{- $values := index .root.Values .part -}}
{{ include "arena.podIp" . }}
- name: ARENA_INSTANCE
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
- name: ARENA_LISTEN
  value: $(POD_IP):7400
- name: ARENA_METRICS_LISTEN
  value: $(POD_IP):7490
- name: ARENA_TOKEN_KEY
  valueFrom: {secretKeyRef: {name: {{ include "arena.tokenSecret" .root }}, key: key}}
- name: ARENA_NATS_URL
  value: {{ include "arena.natsUrl" .root | quote }}
{{- /* Volumes may take their time at the first install. The startup probe lets a pod wait a little longer than this. */}}
- name: ARENA_NATS_WAIT_SECONDS
  value: "100"
- name: ARENA_NATS_USER
  value: {{ .part }}
- name: ARENA_NATS_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ include "arena.natsSecret" .root }}, key: {{ .part }}}}
- name: ARENA_LOG_PARTITIONS
  value: {{ int .root.Values.log.partitions | quote }}
- name: ARENA_LOG_REPLICAS
  value: {{ include "arena.logReplicas" .root | quote }}
- name: ARENA_LOG_FORMAT
  value: json
- name: ARENA_LOG_LEVEL
  value: {{ .root.Values.log.level }}
- name: ARENA_GRACE_SECONDS
  value: {{ int $values.graceSeconds | quote }}
{{- with .root.Values.traces.endpoint }}
- name: ARENA_TRACES_ENDPOINT
  value: {{ . | quote }}
- name: ARENA_TRACES_SHARE
  value: {{ $.root.Values.traces.share | quote }}
{{- end }}
{{- with include "arena.tlsEnv" .root }}
{{ . }}
{{- end }}
{{- if include "arena.natsAuthority" .root }}
- name: ARENA_NATS_CA_FILE
  value: /run/arena/nats-authority/ca.crt
{{- end }}
{{- end -}}

{{/* The Secret with the authority of an external NATS, where there is one. */}}
{{- define "arena.natsAuthority" -}}
{{- if not .Values.nats.enabled -}}
{{ .Values.nats.external.caSecret }}
{{- end -}}
{{- end -}}

{{/*
Probes of a service. Liveness asks whether the process answers at all: with NATS away it does, and a room that drains
does too, so that neither is killed for it. A start takes as long as NATS lets it wait. The kubelet speaks no TLS to
gRPC: with mTLS it asks the metrics page instead.
*/}}
{{- define "arena.serviceProbes" -}}
{{- if .root.Values.mtls.enabled -}}
startupProbe:
  httpGet: {path: /healthz, port: metrics}
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  httpGet: {path: /readyz, port: metrics}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 2
livenessProbe:
  httpGet: {path: /healthz, port: metrics}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- else -}}
startupProbe:
  grpc: {port: 7400, service: liveness}
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  grpc: {port: 7400{{ with .service }}, service: {{ . }}{{ end }}}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 2
livenessProbe:
  grpc: {port: 7400, service: liveness}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end -}}
{{- end -}}

{{- define "arena.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
capabilities: {drop: [ALL]}
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "arena.container" -}}
image: {{ include "arena.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  {{- include "arena.containerSecurity" . | nindent 2 }}
{{- end -}}

{{/* A pod's metadata. Takes `metrics`, the path of the metrics page, where there is one; `extra`, further labels. */}}
{{- define "arena.podMetadata" -}}
{{- $values := index .root.Values .part -}}
labels:
  {{- include "arena.labels" . | nindent 2 }}
  {{- with .extra }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes: tmp
  {{- if and .metrics .root.Values.monitoring.annotations }}
  prometheus.io/scrape: "true"
  prometheus.io/port: "7490"
  prometheus.io/path: {{ .metrics }}
  {{- end }}
  {{- with $values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* What a pod has before its containers. ARENA_* names of Services must not get in among the settings: no links. */}}
{{- define "arena.podBase" -}}
{{- $values := index .root.Values .part -}}
serviceAccountName: {{ include "arena.partname" . }}
automountServiceAccountToken: {{ eq .part "fleet" }}
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity | default $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "arena.selector" $ | nindent 8 }}
    {{- if ne $.part "nats" }}
    {{- /* Pods of the build before, which are about to go, do not count. */}}
    matchLabelKeys: [pod-template-hash]
    {{- end }}
  {{- end }}
{{- end -}}

{{- define "arena.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .root.Values.mtls.enabled }}
- name: tls
  mountPath: /run/arena/tls
  readOnly: true
{{- end }}
{{- end -}}

{{- define "arena.volumes" -}}
- name: tmp
  emptyDir: {sizeLimit: 256Mi}
{{- if .root.Values.mtls.enabled }}
- name: tls
  secret: {secretName: {{ include "arena.tlsSecret" . }}, defaultMode: 0440}
{{- end }}
{{- end -}}

{{/* The pod of a service that is one of ours: matchmaking, room, bot, timer, fleet. Takes `env`, what its part adds. */}}
{{- define "arena.servicePod" -}}
{{- $values := index .root.Values .part -}}
metadata:
  {{- include "arena.podMetadata" (merge (dict "metrics" "/metrics") .) | nindent 2 }}
spec:
  {{- include "arena.podBase" . | nindent 2 }}
  # Handing over and open calls may take the grace time each.
  terminationGracePeriodSeconds: {{ add (mul 2 (int $values.graceSeconds)) 10 }}
  containers:
    - name: {{ .part }}
      {{- include "arena.container" . | nindent 6 }}
      command: [arena, {{ .part }}]
      env:
        {{- include "arena.serviceEnv" . | nindent 8 }}
        {{- with .env }}
        {{- . | trim | nindent 8 }}
        {{- end }}
      ports:
        - {name: grpc, containerPort: 7400}
        - {name: metrics, containerPort: 7490}
      {{- include "arena.serviceProbes" . | nindent 6 }}
      resources:
        {{- toYaml $values.resources | nindent 8 }}
      volumeMounts:
        {{- include "arena.volumeMounts" . | nindent 8 }}
        {{- if include "arena.natsAuthority" .root }}
        - name: nats-authority
          mountPath: /run/arena/nats-authority
          readOnly: true
        {{- end }}
  volumes:
    {{- include "arena.volumes" . | nindent 4 }}
    {{- with include "arena.natsAuthority" .root }}
    - name: nats-authority
      secret: {secretName: {{ . }}, defaultMode: 0440, items: [{key: ca.crt, path: ca.crt}]}
    {{- end }}
{{- end -}}

{{/* Metadata of an object that belongs to a part. Takes `suffix` of its name. */}}
{{- define "arena.metadata" -}}
name: {{ include "arena.partname" . }}{{ default "" .suffix }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "arena.labels" . | nindent 2 }}
{{- end -}}

{{- define "arena.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "arena.metadata" . | nindent 2 }}
automountServiceAccountToken: false
{{- end -}}

{{/* One at a time: whoever drains a node waits until the one before is ready elsewhere. */}}
{{- define "arena.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "arena.metadata" . | nindent 2 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "arena.selector" . | nindent 6 }}
{{- end -}}

{{- define "arena.autoscaler" -}}
{{- $values := index .root.Values .part -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "arena.metadata" . | nindent 2 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "arena.partname" . }}
  minReplicas: {{ $values.autoscaling.minReplicas }}
  maxReplicas: {{ $values.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: {type: Utilization, averageUtilization: {{ $values.autoscaling.targetCpuPercent }}}
  behavior:
    # Those who go leave work to the others: slowly.
    scaleDown:
      stabilizationWindowSeconds: 300
      policies:
        - {type: Pods, value: 1, periodSeconds: 60}
{{- end -}}

{{/* The two Services of a part: one address, and all of its pods' addresses. Takes `ports`, name to number. */}}
{{- define "arena.services" -}}
{{- $ports := .ports -}}
{{- range $suffix := list "" "-headless" }}
---
apiVersion: v1
kind: Service
metadata:
  {{- include "arena.metadata" (merge (dict "suffix" $suffix) $) | nindent 2 }}
spec:
  {{- if $suffix }}
  clusterIP: None
  {{- if $.unready }}
  publishNotReadyAddresses: true
  {{- end }}
  {{- end }}
  selector:
    {{- include "arena.selector" $ | nindent 4 }}
  ports:
    {{- range $name, $port := $ports }}
    - {name: {{ $name }}, port: {{ $port }}, targetPort: {{ $port }}, protocol: TCP{{ if and (eq $name "grpc") (not $.root.Values.mtls.enabled) }}, appProtocol: kubernetes.io/h2c{{ end }}}
    {{- end }}
{{- end }}
{{- end -}}
