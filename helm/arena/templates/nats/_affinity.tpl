{{/* NATS servers apart from each other: losing a node must not cost two copies of a log. Takes `part`. */}}
{{- define "arena.natsAntiAffinity" -}}
{{- $term := dict
      "topologyKey" "kubernetes.io/hostname"
      "labelSelector" (dict "matchLabels" (include "arena.selector" . | fromYaml)) -}}
podAntiAffinity:
  {{- if eq .root.Values.nats.antiAffinity "required" }}
  requiredDuringSchedulingIgnoredDuringExecution:
    {{- toYaml (list $term) | nindent 4 }}
  {{- else }}
  preferredDuringSchedulingIgnoredDuringExecution:
    {{- toYaml (list (dict "weight" 100 "podAffinityTerm" $term)) | nindent 4 }}
  {{- end }}
{{- end -}}
