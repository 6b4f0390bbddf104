{{- define "app.runs" -}}
{{- if not .Values.rights.only }}yes{{ end -}}
{{- end -}}

{{/* Where projects come from, as far as rights differ by it: a name in files/rights.yaml. */}}
{{- define "hub-replicator.source" -}}
{{- with .Values.config.projects -}}
{{ .mode }}{{ if and (eq .mode "projects") .internal }}-internal{{ end }}
{{- end -}}
{{- end -}}

{{/* The app's configuration file: the values, with the paths at which the kubeconfigs are mounted. */}}
{{- define "app.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- with .Values.kubeconfigs -}}
{{- if .hub.secret -}}
{{- $_ := set $config.hub "kubeconfig" (printf "/etc/lifeline/kubeconfigs/hub/%s" .hub.key) -}}
{{- end -}}
{{- if .controlPlane.secret -}}
{{- $_ := set $config.projects "kubeconfig" (printf "/etc/lifeline/kubeconfigs/control-plane/%s" .controlPlane.key) -}}
{{- end -}}
{{- if .projects.secret -}}
{{- $_ := set $config.projects "kubeconfigs" "/etc/lifeline/kubeconfigs/projects" -}}
{{- end -}}
{{- end -}}
{{ toYaml $config }}
{{- end -}}

{{/* Not empty when the pods speak to that plane as their own service account. */}}
{{- define "hub-replicator.hubIsHere" -}}
{{- if not (or .Values.kubeconfigs.hub.secret .Values.config.hub.kubeconfig) }}yes{{ end -}}
{{- end -}}
{{- define "hub-replicator.controlPlaneIsHere" -}}
{{- $follows := has .Values.config.projects.mode (list "secrets" "projects") -}}
{{- if and $follows (not (or .Values.kubeconfigs.controlPlane.secret .Values.config.projects.kubeconfig)) }}yes{{ end -}}
{{- end -}}

{{/* A list, as YAML: the roles that this release makes. */}}
{{- define "hub-replicator.roles" -}}
{{- $only := .Values.rights.only -}}
{{- $source := include "hub-replicator.source" . -}}
{{- $roles := list -}}
{{- if or (eq $only "hub") (and (not $only) (include "hub-replicator.hubIsHere" .)) -}}
{{- $roles = concat $roles (list "hub" "shards") -}}
{{- if eq $source "single" }}{{ $roles = append $roles "project" }}{{ end -}}
{{- end -}}
{{- if eq $only "project" }}{{ $roles = append $roles "project" }}{{ end -}}
{{- if or (eq $only "controlPlane") (and (not $only) (include "hub-replicator.controlPlaneIsHere" .)) -}}
{{- $roles = append $roles (ternary "secrets" "controlPlane" (eq $source "secrets")) -}}
{{- end -}}
{{- if .Values.rights.create }}{{ toYaml $roles }}{{ else }}[]{{ end -}}
{{- end -}}

{{/* A replica takes over its shards within the lease duration. */}}
{{- define "app.pod" -}}
usesToken: {{ not (empty (or (include "hub-replicator.hubIsHere" .) (include "hub-replicator.controlPlaneIsHere" .))) }}
minReadySeconds: {{ divf .Values.config.shards.durationMs 1000 | ceil }}
ports:
  - name: metrics
    containerPort: {{ .Values.config.metricsPort }}
  - name: health
    containerPort: {{ .Values.config.healthPort }}
secrets:
  {{- with .Values.kubeconfigs.hub.secret }}
  - name: hub
    secret: {{ . }}
    path: /etc/lifeline/kubeconfigs/hub
  {{- end }}
  {{- with .Values.kubeconfigs.controlPlane.secret }}
  - name: control-plane
    secret: {{ . }}
    path: /etc/lifeline/kubeconfigs/control-plane
  {{- end }}
  {{- with .Values.kubeconfigs.projects.secret }}
  - name: projects
    secret: {{ . }}
    path: /etc/lifeline/kubeconfigs/projects
  {{- end }}
{{- end -}}

{{- define "app.traffic" -}}
{}
{{- end -}}

{{- define "app.alerts" -}}
{{- $config := .Values.config -}}
{{- $swept := add 300 (div (add $config.sweep.minAgeMs (mul 2 $config.sweep.everyMs)) 1000) -}}
{{- .Files.Get "files/alerts.yaml" | replace "SHARDS" (toString $config.shards.count) | replace "SWEPT" (printf "%ds" $swept) -}}
{{- end -}}
