{{/* Release and chart in one name; short enough that what is hung on it stays a DNS label. */}}
{{- define "hub-replicator.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride }}
{{- else if contains $name .Release.Name -}}
{{ .Release.Name | trunc 47 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name $name | trunc 47 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{- define "hub-replicator.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "hub-replicator.labels" -}}
{{ include "hub-replicator.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: lifeline
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "hub-replicator.serviceAccountName" -}}
{{- default (include "hub-replicator.fullname" .) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "hub-replicator.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ default $.Chart.AppVersion .tag }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Where projects come from, as far as rights differ by it: a name in files/rights.yaml. */}}
{{- define "hub-replicator.source" -}}
{{- with .Values.config.projects -}}
{{ .mode }}{{ if and (eq .mode "projects") .internal }}-internal{{ end }}
{{- end -}}
{{- end -}}

{{/* The app's configuration file: the values, with the paths at which the kubeconfigs are mounted. */}}
{{- define "hub-replicator.config" -}}
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
