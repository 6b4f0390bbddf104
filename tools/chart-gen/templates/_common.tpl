{{/*
What any app's chart needs. Each chart says in its own _app.tpl:
  app.runs     not empty when this release runs the app
  app.check    fails on values that cannot work
  app.config   the app's configuration file
  app.pod      YAML: usesToken, minReadySeconds, nodeOptions (optional), ports, secrets ({name, secret, path}: what is mounted where)
  app.traffic  YAML: ingress and egress, the rules of a NetworkPolicy beside those that every app has
  app.alerts   YAML: the alerts, with what this release's settings say put in
*/}}

{{/* Release and chart in one name; short enough that what is hung on it stays a DNS label. */}}
{{- define "lifeline.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride }}
{{- else if contains $name .Release.Name -}}
{{ .Release.Name | trunc 47 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name $name | trunc 47 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{- define "lifeline.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "lifeline.labels" -}}
{{ include "lifeline.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: lifeline
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "lifeline.serviceAccountName" -}}
{{- default (include "lifeline.fullname" .) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "lifeline.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ default $.Chart.AppVersion .tag }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Fails with all of a list of problems, as YAML. */}}
{{- define "lifeline.failWith" -}}
{{- $problems := fromYamlArray . -}}
{{- if $problems -}}
{{- fail (printf "\n\nThese values cannot work:\n  - %s\n" (join "\n  - " $problems)) -}}
{{- end -}}
{{- end -}}

{{/* The bytes of a quantity; empty for what cannot be read here. */}}
{{- define "lifeline.bytes" -}}
{{- if kindIs "string" . -}}
{{- $units := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "T" 1000000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- $unit := regexReplaceAll "^[0-9.]+" . "" -}}
{{- if hasKey $units $unit }}{{ mulf (regexFind "^[0-9.]+" .) (get $units $unit) | int64 }}{{ end -}}
{{- else -}}
{{ int64 . }}
{{- end -}}
{{- end -}}
